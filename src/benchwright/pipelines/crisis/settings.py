"""The table `[crisis]` of a campaign file."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from benchwright.pipelines.polling import SettingOfWaves

CLASSES = {
    "shelter": "a place to stay: housing, tents, classrooms, a roof",
    "water": "water to drink, to cook, to wash",
    "food": "meals, baby food, fodder",
    "health": "medical care, medicine, clean air, masks",
    "power": "electricity, fuel, heat, light",
    "transport": "passable ways, vehicles, boats, detours",
    "communication": "telephone, internet, warnings, information",
    "rescue": "people and tools that free, search or put out fires",
    "equipment": "machines, tools and material to clear, drain or repair",
    "protection": "barriers, dams, signs, guards against further harm",
    "money": "income, insurance, funds",
}
Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=1, le=100)]


class CrisisSettings(BaseModel):
    """What a campaign may set; every value has a default."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    labels: str = ""  # a file of the labels that incidents and places may have
    outside: Literal["keep", "drop"] = "keep"  # labels that are none of these
    exclude: tuple[str, ...] = ()  # incidents and places about which nothing is asked
    images: Literal["captions", "models"] = "captions"  # who sees images: nobody, so captions are needed; or models
    drafts: bool = True  # what is missing in the form is drafted by a model before people fill it in
    experts: Share = 0.0  # share of scenes that people look at before questions are asked about them
    classes: dict[str, str] = Field(default=CLASSES, min_length=1)  # of what is missing: names, and what belongs there
    pairs: Annotated[int, Field(ge=0)] = 0  # of incident and place, of each scene at most; 0 is all
    paraphrase: Share = 0.25  # share of sets that say place and time in other words than the labels
    refills: Annotated[int, Field(ge=0, le=10)] = 2  # further rounds where questions are missing
    min_questions: Annotated[int, Field(ge=1, le=3)] = 3  # a set with fewer is none
    leak: Share = 0.5  # share of the gold's words in a question from which on people look at it
    leak_meaning: Annotated[float, Field(gt=0, le=1)] = 0.8  # a cosine with the gold above it: people look; 1 is off
    waves: Annotated[int, Field(ge=1, le=100, strict=True)] | SettingOfWaves = "runs"
    answered_pairs: Annotated[int, Field(ge=0)] = 0  # sets of each scene that models answer, at most; 0 is all
    action_words: Count = 15
    explanation_words: Count = 15
    formula: Literal["x/5", "(x-1)/4"] = "x/5"  # from a grade of 1 to 5 to a score of 0 to 1
    bertscore: Literal["", "minilm"] = ""  # the model that reads texts for BERTScore (extra embed); "" takes none
    bleurt: str = ""  # a folder with a checkpoint of BLEURT, which the package bleurt reads; "" takes none
    pairwise: Literal["none", "people", "all"] = "people"  # answers that judges compare: each with people's, or all
    veto: Literal["majority", "any"] = "majority"  # of the judges: whose word takes an answer out as dangerous
    compared: Share = 0.0  # share of questions whose answers people compare
    evaluators: Annotated[int, Field(ge=1, le=100)] = 1  # people for each comparison
    attention: Share = 0.0  # share of the compared questions with one more comparison, whose outcome is known
