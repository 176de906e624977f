"""Names that are written as one word, and words that must stay whole."""

import pytest

from oldhand.lexicon.naming import name_words
from oldhand.lexicon.splitting import segmented, split_name
from oldhand.lexicon.wording import human

WORDS = (
    "carpet household partner discount warehouse message season attachment department inventory "
    "nickname username timestamp hometown birthplace password workshop customers whiskies"
)
GERMAN = (
    "bestelldatum kundennummer lieferadresse mitarbeiter rechnungsbetrag lagerort verkaufspreis "
    "geburtsdatum standort kennzeichen zahlungsart abteilung bestellmenge nachname"
)


OTHERS = (
    "contrat contrats commande commandes sinistre sinistres autor autores medicamento medicamentos "
    "alumno alumnos libros recetas lagerbestand leverdatum betaling innbetaling postort cognome "
    "formapago klantnummer fornavn fechaalta dataemissao codicefiscale livraison fournisseur"
)
AMBIGUOUS = "timeslot timeslots config"
SHORT = "trtmnt instrctr dscrp cmpny prfrm"
"""One word each, without its vowels."""


@pytest.mark.parametrize(
    "word", [*WORDS.split(), *GERMAN.split(), *OTHERS.split(), *AMBIGUOUS.split(), *SHORT.split()]
)
def test_a_word_stays_whole(word):
    assert segmented(word) == (word,)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("parkpermits", "park permits"),
        ("supplierid", "supplier id"),
        ("creditlimit", "credit limit"),
        ("dateofbirth", "date of birth"),
        ("fullname", "full name"),
        ("createdby", "created by"),
        ("noofseats", "no of seats"),
        ("dosemg", "dose mg"),
        ("RESTYPENAME", "res type name"),
        ("unitprice_eur", "unit price eur"),
        ("hvstdt", "hvst dt"),
        ("mitecnt", "mite cnt"),
        ("stfnm", "stf nm"),
        ("chkindt", "chk in dt"),
        ("rordlvl", "rord lvl"),
        ("hvid", "hv id"),
    ],
)
def test_a_name_written_as_one_is_taken_apart(name, words):
    assert " ".join(split_name(name)) == words
    assert human(name) == words


def test_apart_or_as_one_a_name_has_the_same_words():
    assert name_words("custname") == name_words("cust_name")
    assert name_words("orderlines") == name_words("OrderLines")


@pytest.mark.parametrize("name", ["x" * 100_000, "seed" * 20_000, "ß" * 1000, "a1" * 1000])
def test_a_name_of_any_length_is_taken_apart(name):
    assert "".join(segmented(name)) == name


@pytest.mark.parametrize(
    "name",
    [
        "seedlot",
        "orderline",
        "parkpermit",
        "fieldplot",
        "commande",
        "contrat",
        "timeslot",
        "alumno",
    ],
)
def test_one_and_several_are_taken_apart_alike(name):
    one, several = segmented(name), segmented(name + "s")
    assert several == (*one[:-1], one[-1] + "s")
