"""A campaign file's tables on their way to a `Campaign`: each checked by its shape, then against each other."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel

from benchwright.config.faults import Faults, floats, short_value
from benchwright.config.shapes import (
    BudgetTable,
    DocumentsTable,
    Items,
    ModelTable,
    ReviewTable,
    RoleTable,
    RuleTable,
    Top,
)
from benchwright.domain.answer import HUMAN
from benchwright.domain.campaign import Budget, Campaign, Documents, Model, Panel, Quota
from benchwright.domain.keys import nearest
from benchwright.domain.opinion import Policy
from benchwright.domain.vote import Rule
from benchwright.pipelines import PIPELINES, PRESETS
from benchwright.pipelines.base import PipelineType, Role, Served
from benchwright.pipelines.lookups import GRAPHS, SEARCH
from benchwright.pipelines.template import Preset
from benchwright.pipelines.texts import BM25, TEXTS

Shaped = TypeVar("Shaped", bound=BaseModel)

TABLES = ("items", "rule", "review", "documents", "models", "roles", "budget")
EXACT = (RuleTable, ReviewTable, DocumentsTable)  # their decimals become fractions
DEFAULT = "default"  # the role that stands for all that are not named
RESERVED = {
    HUMAN: "people's queue",
    SEARCH: "the queue of searches",
    GRAPHS: "the queue of graphs",
    TEXTS: "the queue of texts",
    BM25: "the ranking by words",
}
TARGET_TRIES = 3  # at each item of a target, unless the file says otherwise
PROVIDERS = {"local": "local", "base_url": "direct", "litellm": "litellm"}
BATCHES = {"openai", "anthropic"}  # whose batch APIs are known, by litellm's names


@dataclass(frozen=True, slots=True)
class Kind:
    """What a campaign file must know of its pipeline: its settings, and its roles as far as models serve them."""

    pipeline: PipelineType
    served: tuple[Role, ...]

    @property
    def settings(self) -> type[BaseModel]:
        """The type of the table that bears the pipeline's name."""
        return self.pipeline.Settings

    @property
    def roles(self) -> tuple[str, ...]:
        """The names of its roles."""
        return tuple(role.name for role in self.served)

    @property
    def voters(self) -> tuple[str, ...]:
        """The roles whose answers are votes."""
        return tuple(role.name for role in self.served if role.votes)

    @property
    def voices(self) -> tuple[str, ...]:
        """The roles whose models answer at the temperature of voters: those that vote, and those served like them."""
        return tuple(role.name for role in self.served if role.votes or role.like in self.voters)

    @property
    def models_for(self) -> Mapping[str, str]:
        """The role whose models serve another one that the campaign leaves open."""
        return {role.name: role.like for role in self.served if role.like}

    @property
    def panels(self) -> tuple[str, ...]:
        """The roles that many models may serve."""
        many = {Served.PANEL, Served.EACH, Served.EMBEDDERS}
        return tuple(role.name for role in self.served if role.served in many)

    @property
    def embedders(self) -> tuple[str, ...]:
        """The roles that models serve which embed texts."""
        return tuple(role.name for role in self.served if role.served is Served.EMBEDDERS)

    @property
    def checkers(self) -> tuple[str, ...]:
        """The panels in which one model may stand in for another."""
        return tuple(role.name for role in self.served if role.stand_ins)

    def hint(self, name: str) -> str:
        """The end of a sentence about an unknown role: the one that does the same here, or is spelt nearly so."""
        duties = {role.duty for kind in kinds().values() for role in kind.served if role.name == name}
        alike = [role.name for role in self.served if role.duty in duties]
        return f"; did you mean {alike[0]}?" if len(alike) == 1 else nearest(name, (*self.roles, DEFAULT))


def kinds() -> dict[str, Kind]:
    """What there is to know of each pipeline."""
    apart = {Served.PEOPLE, Served.CODE}
    return {
        name: Kind(pipeline, tuple(role for role in pipeline.roles if role.served not in apart))
        for name, pipeline in PIPELINES.items()
    }


@dataclass(frozen=True, slots=True)
class Draft:
    """The tables as parsed, the pipelines there are, and the mistakes found so far."""

    data: Mapping[str, Any]
    kinds: Mapping[str, Kind]
    faults: Faults

    def campaign(self) -> Campaign | None:
        """The campaign; None after noting what is wrong."""
        top, items, rule = self.top(), self.read_table(Items, "items"), self.read_table(RuleTable, "rule")
        entries, roles, budget = self.entries(), self.roles(), self.read_table(BudgetTable, "budget")
        review, read = self.read_table(ReviewTable, "review"), self.read_table(DocumentsTable, "documents")
        kind = self.kinds.get(self.pipeline)
        if kind is None:
            return None
        settings = self.read_table(kind.settings, self.pipeline)
        panels = self.panels(kind, roles, entries)
        self.check_batches(roles, entries)
        self.check_embedders(kind, roles, entries)
        models = self.models(kind, entries, panels)
        self.check_substitutes(kind, models, panels)
        if rule:
            self.check_quorum(kind, panels, rule.quorum)
        for path, fault in kind.pipeline.find_faults(settings, panels) if settings else ():
            self.faults.add((self.pipeline, *path), fault)
        if self.faults.found or not (top and items and rule and settings and budget and review and read):
            return None
        return Campaign(
            name=top.name,
            pipeline=top.pipeline,
            corpus=tuple(top.corpus),
            models=models,
            roles=panels,
            rule=Rule(rule.accept, rule.reject, rule.quorum),
            quota=quota(items),
            settings=settings.model_dump(mode="json"),
            seed=top.seed,
            language=top.language,
            long_documents=top.long_documents,
            budget=Budget(budget.usd, budget.tokens),
            review=Policy(review.opinions, review.blind, review.audit, review.adjudicator, tuple(review.reviewers)),
            documents=Documents(read.tables, read.figures, tuple(read.languages), read.near_duplicates),
        )

    @property
    def preset(self) -> Preset | None:
        """The preset that the file names, if there is such a one."""
        name = self.data.get("preset")
        return PRESETS.get(name) if isinstance(name, str) else None

    @property
    def pipeline(self) -> str:
        """The pipeline that the file, or else its preset, names."""
        name = self.data.get("pipeline", self.preset.pipeline if self.preset else "")
        return name if isinstance(name, str) else ""

    def top(self) -> Top | None:
        """The keys above all tables."""
        tables = [*TABLES, self.pipeline] if self.pipeline in self.kinds else [*TABLES, *self.kinds]
        given = {"name": self.faults.path.stem} | {key: part for key, part in self.data.items() if key not in tables}
        if self.pipeline:
            given.setdefault("pipeline", self.pipeline)
        self.check_names()
        for other in [key for key in given if key in self.kinds]:
            del given[other]
            self.faults.add((other,), f'belongs to pipeline = "{other}": here the table is [{self.pipeline}]')
        return self.faults.check_table(Top, floats(given), also=tables)

    def check_names(self) -> None:
        """The pipeline and the preset exist, and the one is for the other."""
        named, preset = self.pipeline, self.data.get("preset")
        if named and named not in self.kinds:
            self.faults.add(("pipeline",), f"unknown pipeline {short_value(named)}{nearest(named, self.kinds)}")
        if isinstance(preset, str) and not self.preset:
            self.faults.add(("preset",), f"unknown preset {short_value(preset)}{nearest(preset, PRESETS)}")
        if self.preset and self.preset.pipeline != named:
            self.faults.add(("preset",), f'belongs to pipeline = "{self.preset.pipeline}": use that one, or no preset')

    def read_table(self, shape: type[Shaped], name: str) -> Shaped | None:
        """The table of that name as its shape, over the preset's values."""
        raw = self.data.get(name, {})
        if self.preset and isinstance(raw, dict):
            raw = merge_tables(self.preset.tables.get(name, {}), raw)
        return self.faults.check_table(shape, raw if shape in EXACT else floats(raw), (name,))

    def named_tables(self, name: str, missing: str) -> Mapping[str, Any]:
        """The table of that name, whose keys are names; empty after noting that there is none."""
        raw = self.data.get(name)
        if isinstance(raw, dict) and raw:
            return raw
        self.faults.add((name,), f"is missing: {missing}" if not raw else f"should be a table, not {short_value(raw)}")
        return {}

    def entries(self) -> dict[str, ModelTable]:
        """The catalogue."""
        raw = self.named_tables("models", 'give [models.NAME] a provider, such as local = "smollm2"')
        entries = {}
        for name, table in raw.items():
            if queue := RESERVED.get(name.lower()):
                self.faults.add(("models", name), f"is the name of {queue}: choose another")
            elif not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", name):
                self.faults.add(("models", name), "should be named in at most 64 letters, digits and . _ -")
            elif entry := self.faults.check_table(ModelTable, floats(table), ("models", name)):
                entries[name] = entry
        return entries

    def roles(self) -> dict[str, RoleTable]:
        """The roles as given, a bare name being a panel of one."""
        raw = self.named_tables("roles", 'say who serves, default = "NAME" for every role')
        tables = {role: {"panel": [value]} if isinstance(value, str) else value for role, value in raw.items()}
        shaped = {role: self.faults.check_table(RoleTable, table, ("roles", role)) for role, table in tables.items()}
        return {role: table for role, table in shaped.items() if table}

    def panels(self, kind: Kind, roles: Mapping[str, RoleTable], entries: Mapping[str, ModelTable]) -> dict[str, Panel]:
        """Who serves each role of the pipeline."""
        for role, table in roles.items():
            self.check_role(kind, role, table)
        given = self.data.get("roles")
        named = set(given) if isinstance(given, dict) and given else {DEFAULT}
        alike = kind.models_for
        free = [role for role in kind.roles if role not in kind.embedders]
        lacking = [role for role in free if not {role, DEFAULT, alike.get(role, DEFAULT)} & named]
        if lacking:
            self.faults.add(("roles",), f'no model for {", ".join(lacking)}: name one for each, or default = "NAME"')
        every = Panel(tuple(name for name, entry in entries.items() if entry.embeds))
        apart = {role: every for role in kind.embedders if role not in roles}
        others = {role: roles.get(alike.get(role, DEFAULT), roles.get(DEFAULT)) for role in kind.roles}
        served = {role: roles.get(role, others[role]) for role in kind.roles if role not in apart}
        runs = dict.fromkeys(kind.voices, self.preset.runs) if self.preset else {}
        return apart | {
            role: Panel(tuple(table.panel), table.runs or runs.get(role, 1), table.batch)
            for role, table in served.items()
            if table
        }

    def check_role(self, kind: Kind, role: str, table: RoleTable) -> None:
        """The role exists, its models exist, and only who votes is many."""
        where, real = ("roles", role), role in (*kind.roles, DEFAULT)
        known = self.data.get("models")
        if not real:
            self.faults.add(where, f"unknown role{kind.hint(role)}")
        for name in table.panel:
            if isinstance(known, dict) and name not in known:
                self.faults.add(where, f"unknown model {short_value(name)}{nearest(name, known)}")
        if len(set(table.panel)) < len(table.panel):
            self.faults.add(where, "names a model twice: to ask it several times, raise runs")
        if real and role not in kind.panels and (len(table.panel) > 1 or (table.runs or 1) > 1):
            takes = "takes a panel" if len(kind.panels) == 1 else "take a panel"
            self.faults.add(where, f"takes one model, asked once; only {', '.join(kind.panels)} {takes}")

    def check_batches(self, roles: Mapping[str, RoleTable], entries: Mapping[str, ModelTable]) -> None:
        """Who is to be asked by batches takes them, as far as the file tells; `doctor` asks endpoints."""
        for role, table in roles.items():
            for name in table.panel if table.batch else ():
                entry = entries.get(name)
                if entry and (entry.local or (entry.litellm and entry.litellm.partition("/")[0] not in BATCHES)):
                    can = 'base_url with a batch API, litellm = "openai/..." or litellm = "anthropic/..."'
                    self.faults.add(("roles", role), f"batch = true needs {can}: {short_value(name)} has none of these")

    def check_embedders(self, kind: Kind, roles: Mapping[str, RoleTable], entries: Mapping[str, ModelTable]) -> None:
        """A model that embeds texts answers no questions, and one that answers questions embeds no texts."""
        for role, table in roles.items():
            for name in table.panel:
                entry = entries.get(name)
                if entry and entry.embeds and role not in kind.embedders:
                    wrong = f"{short_value(name)} embeds texts (embeds = true), it answers nothing"
                    self.faults.add(("roles", role), wrong)
                if entry and not entry.embeds and role in kind.embedders:
                    wrong = f"{short_value(name)} embeds no texts: name models with embeds = true, or leave {role} out"
                    self.faults.add(("roles", role), wrong)

    def check_quorum(self, kind: Kind, panels: Mapping[str, Panel], quorum: int) -> None:
        """A quorum that no panel can reach would send everything to people."""
        for role in kind.voters:
            panel = panels.get(role, Panel(()))
            most = len(panel.models) * panel.runs
            if 0 < most < quorum:
                many = f"at most {most} (models: {len(panel.models)}, runs: {panel.runs})"
                self.faults.add(("rule", "quorum"), f"is {quorum}, but {role} casts {many}: lower it, or ask more")

    def beside(self, roles: Sequence[str], panels: Mapping[str, Panel]) -> set[str]:
        """The models that serve a role beside these."""
        return {name for role, panel in panels.items() if role not in roles for name in panel.models}

    def models(self, kind: Kind, entries: Mapping[str, ModelTable], panels: Mapping[str, Panel]) -> dict[str, Model]:
        """The catalogue with every temperature settled."""
        voting = {name for role, panel in panels.items() if role in kind.voices for name in panel.models}
        voting |= {entries[name].substitute or name for name in voting if name in entries}
        others = self.beside(kind.voices, panels)
        models = {}
        for name, entry in entries.items():
            settled = {}
            if self.preset and "temperature" not in entry.model_fields_set:
                if name in voting & others and self.preset.voter_temperature != self.preset.writer_temperature:
                    self.clash(name, self.preset)
                votes = name in voting
                settled["temperature"] = self.preset.voter_temperature if votes else self.preset.writer_temperature
            models[name] = model(name, entry, settled)
        return models

    def check_substitutes(self, kind: Kind, models: Mapping[str, Model], panels: Mapping[str, Panel]) -> None:
        """A substitute adds what its panel lacks: a voice that is not there yet, of another family."""
        known, busy = self.data.get("models"), self.beside(kind.checkers, panels)
        for name, entry in models.items():
            stand_in, where = entry.substitute, ("models", name, "substitute")
            if stand_in and isinstance(known, dict) and stand_in not in known:
                self.faults.add(where, f"unknown model {short_value(stand_in)}{nearest(stand_in, known)}")
            elif stand_in and name in busy:
                does = "writes or judges too"
                self.faults.add(where, f"stands in for checkers only, and this model {does}: give it a second entry")
        for panel in (panels[role] for role in kind.checkers if role in panels):
            pairs = [(name, models[name].substitute) for name in panel.models if name in models]
            for name, stand_in in pairs:
                if trouble := alike(name, stand_in, models, panel, [other for _, other in pairs]):
                    self.faults.add(("models", name, "substitute"), trouble)

    def clash(self, name: str, preset: Preset) -> None:
        """A model has one temperature, and the preset wants two of it."""
        votes, others = preset.voter_temperature, preset.writer_temperature
        wanted = f"{votes} of models that vote and {others} of those that do anything else"
        self.faults.add(
            ("models", name),
            f"the preset wants temperature {wanted}, and this one does both: give it a temperature,"
            " or a second [models.NAME] for voting",
        )


def alike(name: str, stand_in: str, models: Mapping[str, Model], panel: Panel, others: Sequence[str]) -> str:
    """What keeps a model from standing in for a checker of a panel; "" where nothing does."""
    if stand_in not in models:
        return ""
    if stand_in in panel.models:
        return f"{stand_in} votes on this panel itself: name a model that does not"
    if others.count(stand_in) > 1:
        return f"{stand_in} stands in for another checker of this panel too: it has one voice"
    families = models[name].family, models[stand_in].family
    if not all(families) or families[0] == families[1]:
        return f'{stand_in} should be of another family: give both their family, such as family = "qwen"'
    return ""


def merge_tables(under: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Two tables as one, key by key, also within the tables that both have; where they differ `over` wins."""
    both = [key for key in over if isinstance(over[key], dict) and isinstance(under.get(key), dict)]
    return {**under, **over, **{key: merge_tables(under[key], over[key]) for key in both}}


def quota(items: Items) -> Quota:
    """How many items, with the default number of tries for the way chosen."""
    if items.target is None:
        return Quota(items.per_document or 1, None, items.tries or 1, items.wait_for_people)
    return Quota(1, items.target, items.tries or TARGET_TRIES, items.wait_for_people)


def model(name: str, entry: ModelTable, settled: Mapping[str, Any]) -> Model:
    """A catalogue entry; running the embedded model costs nothing unless the file says so."""
    given = entry.model_dump(exclude_unset=True)
    key = next(key for key in PROVIDERS if key in given)
    target = given.pop("model", None) or given[key]
    free = {"price_in": 0.0, "price_out": 0.0} if key == "local" else {}
    rest = {field: value for field, value in given.items() if field not in PROVIDERS or field == "base_url"}
    rest["omit"] = tuple(rest.get("omit") or ())
    rest |= {field: rest.get(field) or {} for field in ("extra", "rename", "headers")}
    return Model(name=name, provider=PROVIDERS[key], target=target, **{**free, **settled, **rest})
