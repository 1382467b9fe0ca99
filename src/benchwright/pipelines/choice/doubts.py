"""What of a campaign makes votes and difficulty doubtful, though nothing forbids it: for `doctor`. Pure."""

from collections.abc import Iterable, Iterator, Sequence

from benchwright.agents.choice import answer_item
from benchwright.domain.campaign import Campaign
from benchwright.pipelines.base import Role, Served

WRITING = ("write question", "write correct options", "extract conclusions", "distract", "replace")  # duties


def panel_doubts(campaign: Campaign, roles: Sequence[Role]) -> list[str]:
    """Writers that vote or judge, a panel of one family, several runs that can only repeat themselves."""
    writers = models_of(campaign, (role for role in roles if role.duty in WRITING))
    panels = [role for role in roles if role.votes]
    judges = [role for role in roles if role.name == answer_item.agent.name and role.name in campaign.roles]
    found = [doubt for role in panels for doubt in doubts_of_panel(campaign, role.name, writers)]
    return [*found, *(doubt for role in judges for doubt in doubts_of_judges(campaign, role.name, writers))]


def models_of(campaign: Campaign, roles: Iterable[Role]) -> dict[str, str]:
    """The models that serve some roles, by their families; a model without a family is known by what it is."""
    names = (name for role in roles if role.served is Served.ONE for name in campaign.roles[role.name].models)
    return {family(campaign, name): name for name in names}


def family(campaign: Campaign, name: str) -> str:
    """The family of a model, or what its provider calls it."""
    model = campaign.models[name]
    return model.family or model.target


def doubts_of_panel(campaign: Campaign, role: str, writers: dict[str, str]) -> Iterator[str]:
    """What makes the votes of a panel doubtful."""
    panel = campaign.roles[role]
    own = [name for name in panel.models if family(campaign, name) in writers]
    if own:
        writer = writers[family(campaign, own[0])]
        whose = "writes" if writer == own[0] else f"is of the family of {writer}, which writes"
        yield (
            f"{own[0]} votes in {role} and {whose}: such a checker tends to confirm its own text. Name models of other"
            " families there"
        )
    if len({family(campaign, name) for name in panel.models}) == 1:
        yield (
            f"all checkers of {role} are of one family: they err alike, so their agreement says little. Add a model of"
            " another family"
        )
    still = [name for name in panel.models if panel.runs > 1 and campaign.models[name].temperature == 0]
    if still:
        yield (
            f"{role} asks {' and '.join(still)} {panel.runs} times at temperature 0: further runs repeat the first."
            " Set a temperature such as 1.0, or runs = 1"
        )


def doubts_of_judges(campaign: Campaign, role: str, writers: dict[str, str]) -> Iterator[str]:
    """What makes difficulty doubtful: a judge that answers what it has written."""
    for name in campaign.roles[role].models:
        if family(campaign, name) in writers:
            writer = writers[family(campaign, name)]
            yield (
                f"{name} judges in {role} and is, or is of the family of, {writer}, which writes:"
                " items seem easier to it than to others. Name models that did not write them"
            )
