"""Readers of graphs: by rows of our own in each published form, and by the real samples beside the repository."""

import gzip
import json
from collections import Counter
from pathlib import Path

import pytest
from tests.conftest import shared_data

from benchwright.domain.knowledge import Entity, Triple
from benchwright.errors import UsageError
from benchwright.kg import ekg, hetionet, ibkh, outbreaks, triples
from benchwright.kg.graph import Small, small
from benchwright.kg.sources import read

pytest.importorskip("networkx", reason="a graph in memory needs the extra 'kg'")


def write(path: Path, *lines: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "\n".join(lines) + "\n"
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


# Counted by hand: awk -F'\t' -v d=ID '$1==d{n++;o[$3]} $3==d{n++;o[$1]} END{for(x in o)k++; print n,k}'
# edges_sample.tsv; by metaedge with c[$2]++ in the same command.
HETIONET = {
    "Disease::DOID:10763": ("hypertension", 174, 174, {"treats": 3, "resembles": 1, "is associated with": 170}),
    "Disease::DOID:9970": ("obesity", 137, 137, {"is associated with": 137}),
    "Disease::DOID:1826": ("epilepsy syndrome", 126, 126, {"is associated with": 126}),
    "Disease::DOID:1909": (
        "melanoma",
        55,
        54,
        {"treats": 1, "upregulates": 1, "resembles": 1, "downregulates": 2, "is associated with": 50},
    ),
    "Disease::DOID:1459": ("hypothyroidism", 14, 14, {"localizes to": 5, "resembles": 1, "presents": 8}),
}


@pytest.fixture(scope="module")
def sample() -> Small:
    folder = shared_data("real/hetionet")
    return small("Hetionet", hetionet.read(folder / "nodes_sample.tsv", folder / "edges_sample.tsv"))


@pytest.mark.parametrize("disease", HETIONET)
def test_the_neighbours_of_a_disease_in_hetionet_are_those_counted_by_hand(sample: Small, disease: str) -> None:
    name, edges, neighbours, relations = HETIONET[disease]
    facts = sample.facts(disease)
    assert {end.name for fact in facts for end in fact.ends if end.id == disease} == {name}
    assert (len(facts), len({fact.other(disease).id for fact in facts})) == (edges, neighbours)
    assert Counter(fact.relation for fact in facts) == relations
    assert {fact.source for fact in facts} == {"Hetionet"}


def test_one_diseases_neighbours_in_hetionet_by_name(sample: Small) -> None:
    """From the lines that awk shows for hypothyroidism, looked up in the table of nodes."""
    found = {fact.other("Disease::DOID:1459").id for fact in sample.facts("Disease::DOID:1459")}
    assert found == {
        *(f"Anatomy::UBERON:{n}" for n in ("0000178", "0000992", "0001235", "0001348", "0002129")),
        *(f"Symptom::D{n}" for n in ("001724", "003248", "003638", "004487", "006319", "012021", "018908", "018980")),
        "Disease::DOID:1781",
    }


def test_all_of_the_hetionet_sample_is_there(sample: Small) -> None:
    assert (sample.graph.number_of_nodes(), sample.graph.number_of_edges()) == (1911, 3235)


# Counted by hand: grep -E ',"?DISEASE"?,"?DON' outbreaks_sample.csv, then the first field, then sort -u.
OUTBREAKS = {
    "Cholera": (19, 16),
    "Measles": (9, 9),
    "Ebola disease": (4, 3),
    "Middle East respiratory syndrome": (5, 5),
    "Yellow fever, unspecified": (12, 11),
}


def test_the_neighbours_of_five_diseases_in_the_outbreak_rows_are_those_counted_by_hand() -> None:
    graph = small("WHO", outbreaks.read(shared_data("real/don/outbreaks_sample.csv")))
    for disease, (rows, countries) in OUTBREAKS.items():
        facts = graph.facts(f"who:{disease}")
        assert (disease, len(facts), len({fact.object.id for fact in facts})) == (disease, rows, countries)
        assert all(fact.details.isdecimal() and fact.source.startswith("WHO DON") for fact in facts)
    ebola = {fact.object.name for fact in graph.facts("who:Ebola disease")}
    assert ebola == {"Congo Democratic Republic of the", "Guinea", "Uganda"}


def test_names_of_classifications_are_synonyms_only_where_they_mean_the_same() -> None:
    graph = small("WHO", outbreaks.read(shared_data("real/don/outbreaks_sample.csv")))

    def meant(form: str) -> list[str]:
        return [found.entity.name for found in graph.find_by_name(form)]

    assert meant("dengue") == ["Dengue fever, unspecified"]
    assert meant("ebola virus disease") == ["Ebola disease"]
    assert meant("sar") == ["Severe acute respiratory syndrome"]
    assert meant("influenza") == meant("pneumonia") == []


def test_hetionet_as_it_is_published_compressed(tmp_path: Path) -> None:
    nodes = write(tmp_path / "nodes.tsv", "id\tname\tkind", "Compound::DB1\tQuinine\tCompound", "Disease::1\t\tDisease")
    edges = write(tmp_path / "e-v1.0.sif.gz", "source\tmetaedge\ttarget", "Compound::DB1\tCtD\tDisease::1")
    assert list(hetionet.read(nodes, edges)) == [
        Entity("Compound::DB1", "Quinine", "drug"),
        Entity("Disease::1", "Disease::1", "disease"),
        Triple("Compound::DB1", "treats", "Disease::1", "Hetionet"),
    ]


@pytest.mark.parametrize(
    ("nodes", "edges", "message"),
    [
        (("id\tname", "a\tb"), (), "nodes.tsv, line 1: has no column kind; its first line names id, name"),
        (("id\tname\tkind", "\tb\tc"), (), "nodes.tsv, line 2: has no id"),
        (("id\tname\tkind", "a\tb\tc\td"), (), "nodes.tsv, line 2: has more fields"),
        (("id\tname\tkind",), ("source\tmetaedge\ttarget", "a\tXxX\tb"), "edges.tsv, line 2: has the unknown metaedge"),
        (("id\tname\tkind",), (), "edges.tsv: cannot be read as a table"),
    ],
)
def test_a_broken_table_is_told_by_file_and_line(
    tmp_path: Path, nodes: tuple[str, ...], edges: tuple[str, ...], message: str
) -> None:
    write(tmp_path / "nodes.tsv", *nodes)
    if edges:
        write(tmp_path / "edges.tsv", *edges)
    with pytest.raises(UsageError, match=message):
        list(hetionet.read(tmp_path / "nodes.tsv", tmp_path / "edges.tsv"))


def test_an_outbreak_without_disease_or_country_is_told_by_line(tmp_path: Path) -> None:
    header = ",".join(outbreaks.WANTED)
    path = write(tmp_path / "rows.csv", header, "Fiji,FJI,2025,,,,,DON1")
    with pytest.raises(UsageError, match=r"rows.csv, line 2: names no disease or no country"):
        list(outbreaks.read(path))


def test_plain_triples_with_and_without_kinds_and_sources(tmp_path: Path) -> None:
    path = write(
        tmp_path / "own.csv",
        "subject,relation,object,object_kind,source,details",
        'rabies,is carried by,"dog, stray",Host,field notes,since 2004',
        "rabies,presents,fear of water,,,",
    )
    assert list(triples.read(path)) == [
        Entity("disease:rabies", "rabies", "disease"),
        Entity("host:dog, stray", "dog, stray", "host"),
        Triple("disease:rabies", "is carried by", "host:dog, stray", "field notes", "since 2004"),
        Entity("disease:rabies", "rabies", "disease"),
        Entity("thing:fear of water", "fear of water", "thing"),
        Triple("disease:rabies", "presents", "thing:fear of water", "own.csv"),
    ]
    with pytest.raises(UsageError, match="line 2: lacks its subject, relation or object"):
        list(triples.read(write(tmp_path / "own.csv", "subject,relation,object", "rabies,,dog")))


@pytest.mark.parametrize("mark", [";", "\t"])
def test_columns_of_triples_may_be_apart_by_semicolons_or_tabs(tmp_path: Path, mark: str) -> None:
    rows = ("\ufeffsubject,relation,object", "rabies,presents,fear")
    path = write(tmp_path / "own.csv", *(row.replace(",", mark) for row in rows))
    assert list(triples.read(path))[-1] == Triple("disease:rabies", "presents", "thing:fear", "own.csv")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "own.csv, line 1: has no column subject, relation, object; its first line names nothing"),
        (b"subject,relation,object\na,b\xe9,c\n", "own.csv: is not UTF-8 text: save it as UTF-8"),
        (b"subject,relation,object\na,b,c\na,b," + b"x" * 10_000_001, "own.csv, line 3: field larger than"),
    ],
)
def test_a_table_that_cannot_be_read_is_told_with_the_place_or_the_way_out(
    tmp_path: Path, content: bytes, message: str
) -> None:
    path = tmp_path / "own.csv"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=message):
        list(triples.read(path))


@pytest.mark.parametrize(("form", "path"), [("triples", ""), ("ekg", ""), ("hetionet", "own.csv"), ("ibkh", "own.csv")])
def test_a_folder_in_the_place_of_a_file_and_the_other_way_round_are_told(tmp_path: Path, form: str, path: str) -> None:
    (tmp_path / "own.csv").write_text("subject,relation,object\n", "utf-8")
    with pytest.raises(UsageError, match=f"a graph of the form {form} is (one file|the folder of its files): name"):
        read(form, tmp_path / path)


def test_blank_rows_and_the_case_of_a_header_do_not_matter(tmp_path: Path) -> None:
    path = write(tmp_path / "own.csv", "Subject, Relation,Object,Source", "", "a,b,c,S", ",,,", "d,e,f,,,")
    found = [record for record in triples.read(path) if isinstance(record, Triple)]
    assert [(one.subject, one.source) for one in found] == [("disease:a", "S"), ("disease:d", "own.csv")]


def test_a_table_in_utf_16_is_read(tmp_path: Path) -> None:
    path = tmp_path / "own.csv"
    path.write_bytes("subject,relation,object\nÄ,b,c\n".encode("utf-16"))
    assert next(iter(triples.read(path))) == Entity("disease:Ä", "Ä", "disease")
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(UsageError, match="is not UTF-8 text: save it as UTF-8"):
        list(triples.read(path))


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (('"5-HT,b,c', "d,e,f"), "line 3: begins a row with a quotation mark that is not closed"),
        (('"5-HT,b,c', 'd,"e",f'), "line 3: begins a row with a quotation mark that is not closed"),
        (("NaN,b,c",), "line 3: lacks its subject, relation or object"),
        (("a,b,None",), "line 3: lacks its subject, relation or object"),
        (("a,b,c,d",), "line 3: has more fields than the header"),
    ],
)
def test_a_row_that_cannot_be_used_is_told_by_the_line_where_it_begins(
    tmp_path: Path, lines: tuple[str, ...], message: str
) -> None:
    path = write(tmp_path / "own.csv", "subject,relation,object", 'a,has "b" b,"c', *lines[:0], 'c"', *lines)
    with pytest.raises(UsageError, match=message.replace("line 3", "line 4")):
        list(triples.read(path))


def unpacked(folder: Path) -> Path:
    """The sample rows of iBKH's own README, in its folders."""
    write(
        folder / "entity" / "disease_vocab.csv",
        "primary,name,do_id,kegg_id",
        "DOID:10652,alzheimer's disease,DOID:10652,H00056",
        "DOID:10283,prostate cancer,DOID:10283,",
    )
    write(
        folder / "entity" / "drug_vocab.csv",
        "primary,name",
        "DrugBank:DB00843,Donepezil",
        "DrugBank:DB06767,Ammonium chloride",
    )
    write(folder / "entity" / "gene_vocab.csv", "primary,symbol", "HGNC:5,A1BG")
    write(
        folder / "relation" / "D_Di_res.csv",
        "Drug,Disease,Treats,Palliates,Effect,Associate,Inferred_Relation,Source,Inference_Score",
        "DrugBank:DB00843,DOID:10652,1,0,1.0,1,0,CTD;DRKG,",
        "DrugBank:DB06767,DOID:10283,0,0,0,0,1,CTD,342.19",
    )
    write(folder / "relation" / "Di_G_res.csv", "Disease,Gene,associates_unknown", "DOID:10652,HGNC:5,1")
    return folder


def test_a_folder_of_ibkh_is_read_with_sources_scores_and_treatments(tmp_path: Path) -> None:
    graph = small("iBKH", ibkh.read(unpacked(tmp_path)))
    told = [str(fact) for fact in graph.facts("DOID:10652")]
    assert told == [
        "Donepezil | treats | alzheimer's disease (iBKH: CTD, DRKG)",
        "Donepezil | has an effect on | alzheimer's disease (iBKH: CTD, DRKG)",
        "Donepezil | is associated with | alzheimer's disease (iBKH: CTD, DRKG)",
        "alzheimer's disease | associates unknown | A1BG (iBKH)",
    ]
    (inferred,) = graph.facts("DOID:10283")
    assert (inferred.relation, inferred.details) == ("is inferred to relate to", "inference score 342.19")


@pytest.mark.parametrize(
    ("file", "lines", "message"),
    [
        ("relation/D_Di_res.csv", ("Drug,Disease,Treats", "a,b,maybe"), "line 2: has 'maybe' in the column Treats"),
        ("relation/D_Di_res.csv", ("Drug,Disease,Treats", ",b,1"), "line 2: has an empty id"),
        ("entity/gene_vocab.csv", ("primary,symbol", ",A1BG"), "line 2: has no primary id"),
        ("relation/D_Di_res.csv", ("Drug", "a"), "line 2: has fewer than two columns"),
    ],
)
def test_a_broken_row_of_ibkh_is_told_by_file_and_line(
    tmp_path: Path, file: str, lines: tuple[str, ...], message: str
) -> None:
    write(unpacked(tmp_path) / file, *lines)
    with pytest.raises(UsageError, match=message):
        list(ibkh.read(tmp_path))


def test_a_folder_that_is_not_ibkh_is_told_so(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="unpack iBKH's entity and relation archives"):
        list(ibkh.read(tmp_path))


TURTLE = """
@prefix : <http://data.jrc.ec.europa.eu/dataset/x/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix terms: <http://purl.org/dc/terms/> .
<http://data.jrc.ec.europa.eu/dataset/x/don-record1> terms:identifier "don-record1" ;
    rdfs:label "1-may-2016-q-en" ; :country_extracted "Tarnvale" ; :date_extracted "2016-05-01"^^xsd:date ;
    :cases_extracted "52" ; :deaths_extracted "6" ;
    <http://www.w3.org/2004/02/skos/core#related> <http://purl.obolibrary.org/obo/DOID_1> ;
    rdfs:virus_extracted "QuelmFever" .
<http://data.jrc.ec.europa.eu/dataset/x/don-record2> terms:identifier "don-record2" ;
    rdfs:label "2" ; :country_extracted " " ; rdfs:virus_extracted "QuelmFever" .
<http://data.jrc.ec.europa.eu/dataset/x/don-record3> terms:identifier "don-record3" ; rdfs:label "3" .
"""
SENTENCES = {
    "Event-1": "Outbreak of QuelmFever occurred in Tarnvale on 2016-05-01, with confirmed 52 cases and 6 deaths.",
    "Event-2": "Outbreak of QuelmFever occurred in  on 1996-12-05, with confirmed 27 cases.",
    "Event-3": "Outbreak of QuelmFever occurred in Vodrik county, in the south on 2001-11-14 and 1 deaths.",
    "Event-4": "Outbreak of QuelmFever occurred in Tarnvale.",
    "Event-5": "Outbreak of QuelmFever occurred.",
}


def test_the_turtle_form_of_ekg_dons_is_read_record_by_record(tmp_path: Path) -> None:
    pytest.importorskip("rdflib", reason="reading Turtle needs the extra 'kg'")
    path = tmp_path / "dons.ttl"
    path.write_text(TURTLE, "utf-8")
    graph = small("eKG", ekg.read(path))
    assert [str(fact) for fact in graph.facts("ekg:QuelmFever")] == [
        "QuelmFever | had an outbreak in | Tarnvale | 2016-05-01; 52 cases; 6 deaths (eKG-DONs 1-may-2016-q-en)",
        "QuelmFever | had an outbreak in | an unnamed place (eKG-DONs 2)",
    ]
    assert [found.name for found in graph.find_by_name("quelm fever")] == ["Quelm Fever"]
    path.write_text("this is not Turtle", "utf-8")
    with pytest.raises(UsageError, match=r"dons.ttl: is not Turtle"):
        list(ekg.read(path))


def test_the_json_form_of_ekg_dons_is_taken_apart(tmp_path: Path) -> None:
    path = tmp_path / "entities_kg.json"
    path.write_text(json.dumps({"x": {"Disease Name": "QuelmFever", "Real Events": SENTENCES}}), "utf-8")
    found = [record for record in ekg.read(path) if isinstance(record, Triple)]
    assert [(triple.object, triple.details) for triple in found] == [
        ("place:Tarnvale", "2016-05-01; 52 cases; 6 deaths"),
        ("place:an unnamed place", "1996-12-05; 27 cases"),
        ("place:Vodrik county, in the south", "2001-11-14; 1 deaths"),
        ("place:Tarnvale", ""),
        ("place:an unnamed place", ""),
    ]


@pytest.mark.parametrize(
    ("told", "place", "details"),
    [
        ("in Congo on 2008-12-26 and reported on 2024-01-05, with confirmed 5 cases", "Congo", "2008-12-26; 5 cases"),
        ("in Congo on 2008-12-26 and reported 2024", "Congo", "2008-12-26"),
        ("in Congo on 2008 and was reported on 2024-01 and 2 deaths", "Congo", "2008; 2 deaths"),
        ("in Congo and reported on 2024", "Congo", ""),
        ("on 2008-12-26 and reported on 2024", "an unnamed place", "2008-12-26"),
        ("in Trinidad and Tobago on 2008", "Trinidad and Tobago", "2008"),
    ],
)
def test_an_outbreak_has_its_own_date_and_not_that_of_its_report(
    tmp_path: Path, told: str, place: str, details: str
) -> None:
    path = tmp_path / "entities_kg.json"
    events = {"Event-1": f"Outbreak of Quelm occurred {told}."}
    path.write_text(json.dumps({"x": {"Disease Name": "Quelm", "Real Events": events}}), "utf-8")
    (found,) = (record for record in ekg.read(path) if isinstance(record, Triple))
    assert (found.object, found.details) == (f"place:{place}", details)


@pytest.mark.parametrize(
    "told",
    [
        "in Congo on 2008 and spread on 2009",
        "in Congo since 2008",
        "in Congo with unconfirmed 5 cases",
        "in Congo during the rains, with confirmed 5 cases",
        "in Congo; Gabon was spared",
        "in Congo on 26 December 2008",
    ],
)
def test_a_shape_of_sentence_that_is_not_known_is_refused(tmp_path: Path, told: str) -> None:
    path = tmp_path / "entities_kg.json"
    events = {"Event-1": f"Outbreak of Quelm occurred {told}."}
    path.write_text(json.dumps({"x": {"Disease Name": "Quelm", "Real Events": events}}), "utf-8")
    with pytest.raises(UsageError, match="Event-1 is no sentence about an outbreak"):
        list(ekg.read(path))


@pytest.mark.parametrize(
    ("column", "verb"),
    [
        ("association", "is associated with"),
        ("associated with", "is associated with"),
        ("interactions", "interacts with"),
        ("is effective for", "is effective for"),
        ("kinship", "has the relation 'kinship' to"),
    ],
)
def test_a_column_of_ibkh_is_a_verb(column: str, verb: str) -> None:
    assert ibkh.verb(column) == verb


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "is not the JSON form"),
        ("{", "is not the JSON form"),
        ('{"x": {"Disease Name": "Y", "Real Events": {"Event-1": "It rained."}}}', "Event-1 is no sentence about"),
    ],
)
def test_json_that_is_not_ekg_dons_is_told_so(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "entities_kg.json"
    path.write_text(text, "utf-8")
    with pytest.raises(UsageError, match=message):
        list(ekg.read(path))
