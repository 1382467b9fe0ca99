"""Words that tell whether a full stop ends a sentence, in several languages; all but titles in small letters."""
# ruff: noqa: RUF001, SIM905 - letters of many scripts; word lists read best as words

# Before a name or a term: the stop is the abbreviation's alone.
NEVER = frozenset(
    (
        "fig figs eq eqs ref refs tab dr prof mr mrs ms st ste vs cf e.g i.e eg ie viz approx ca gen messrs "
        "bzw vgl ggf evtl inkl exkl sog abb dipl hrn mme mmes mlle mlles mgr env sr sra srta sres dra dras dres "
        "profa profª sig sigg dott cfr dhr mevr drs bijv bv inż hab zob tzn wg ul np rys ryc tzv např mj doç bkz "
        "incl excl geb sta sto dña gral exmo exma lic av ap éd tj św lek sv esim ún örn jf dkt hlm ehem auj hôp "
        "d.h z.b p.ex p.ej ad.es t.ex bl.a f.eks d.v.s s.k o.a d.w.z m.b.v t.j c.-à-d т.е "
        "mudr mvdr judr rndr phdr paeddr thdr рис табл см ср проф акад им ул напр див ім вул"
    ).split()
)
# Before a name, where they have a capital.
TITLES = frozenset(
    (
        "Gov Sen Rep Lt Col Capt Sgt Maj Rev Hon Pres Supt Hr Fr Sig Sn Pr Ud Uds Vd Mw Dl Ing Ir MM Mgr Bros Mt "
        "rer nat phil med habil Eng Univ Prov Brig Cmdr Adm Insp Amb Min Dist Hosp Inst Natl Intl Assoc Lab Conf Proc "
        "Ser Cat Lot Govt Div Ft Mons Frl Hrsg Abt Gesch Sto Arq Abg Mag Bc Stud TS PGS EE UU OO On Cel Avv Osp Soc"
    ).split()
)
# Before a number, or a sign that holds one: "no. AF979399".
BEFORE_NUMBER = frozenset(
    (
        "no nos nr nrn p pp vol ch chap sec art para suppl supp jan feb mar apr jun jul aug sep sept oct nov dec tel "
        "abs bd kap pág págs pags pag pagg núm núms num nº cap blz str č čís obr poz pkt стр гл max sect proc exp ser "
        "sér réf réfs janv févr juil déc dez okt ene abr dic giu lug ott séc godz ok kl об оп ст пп рр yy bab hal "
        "abschn párr parág vols voll ext int tél par jgst cra mind"
    ).split()
)
# What is numbered or added: "Suppl. Fig. 2", "Supp. Table 1".
NUMBERED = frozenset(
    "fig figs figure figures tab table tables file files data material materials movie video note notes methods text "
    "information eq no vol".split()
)
# The end of a list; a capital behind it begins a sentence.
LISTED = frozenset("etc usw ecc enz".split())
# Before a name, or at the end of a sentence.
SOMETIMES = frozenset(
    (
        "al sp spp ssp subsp var inc ltd co corp jr bros dept ph.d est stb vb mio mrd tsd tys mln "
        "cit ltda cía osv dvs atd itd itp apod dll nk hab aprox máx mín ej ex dpto depto avda resp u.a m.in fa gem "
        "млн млрд тыс руб чел др пр обл т.д т.п и.о"
    ).split()
)
TIMES = frozenset(("a.m", "p.m"))
DATED = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday eastern central pacific local gmt utc est".split()
)
YEARS = frozenset(("г", "гг", "р", "r"))  # behind a number: "w 2020 r."

# Before a letter that is a name of its own: "Hepatitis B.", "Dormitory C."
LETTERED = frozenset(
    (
        "vitamin hepatitis influenza type group class phase arm cohort panel grade part table dormitory building block "
        "ward camp zone room site unit plan appendix annex figure box case patient sample village district "
        "section category level stage lineage clade subtype strain serogroup serotype genotype variant protein gene "
        "factor model scenario sector schedule plot step study series school hospital clinic team subgroup stratum "
        "hépatite hepatite epatite vitamine vitamina gripe grippe "
        "gruppe klasse teil anhang groupe classe partie annexe grupo clase parte anexo gruppo classe allegato"
    ).split()
)

# Words with which sentences begin, and names do not go on.
STARTERS = frozenset(
    (
        "the we this these those that in it its however a an they their there he she our for at as of on to from by "
        "with when while after before although because if both all among during since such here thus therefore "
        "moreover furthermore finally additionally using overall most many some several other another each one two "
        "what which how who why where only not no and but or data results patients participants then next later once "
        "dann danach dennoch jedoch außerdem später luego entonces después puis ensuite enfin cependant ainsi depois "
        "então poi quindi inoltre toen daarna potem następnie затем потом pak potom sedan därefter sonra "
        "das ein eine es sie wir ich im am bei nach vor seit mit für auch nur als wenn diese dieser dieses zudem daher "
        "insgesamt dabei "
        "un una se por para con como esta este estos estas sin además también según durante "
        "une il elle ils elles ce cette ces dans pour avec sur nous on selon depuis après "
        "um uma em os nos nas essa esse nel nella gli per "
        "het een op er dit deze "
        "na nie to po przy nad "
        "в на по из к у о за он она они это этот все при для не но и как"
    ).split()
)
PARTICLES = frozenset("der die den le la les el los las o i il lo de di da du des von van".split())  # of names, too

# German and its neighbours write the first, second, third as a number with a stop.
COUNTED = frozenset(
    (
        "januar jänner februar feber märz april mai juni juli august september oktober november dezember "
        "tag tages tage monat monats jahr jahres lebensmonat lebenstag auflage "
        "jahrhundert jahrhunderts jh lebensjahr lebenswoche woche quartal halbjahr weltkrieg schwangerschaftswoche"
    ).split()
)
COUNTING = frozenset(
    "der den dem des am vom zum zur im beim bis ab seit einem einer einen eines ihrer ihrem seiner seinem".split()
)
