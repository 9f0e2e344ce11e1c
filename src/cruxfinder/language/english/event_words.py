"""The words by which an event is told from a hope: what can be seen to happen, what is measured, what is merely felt.

Verbs stand in their bare form with irregular forms after a stroke; `forms` makes the rest. Tables, no rules.
"""

from collections.abc import Iterator
from typing import Final

# ---- verbs of what happens on a day and is seen to: enough on their own

LAW_AND_POLITICS: Final = (
    "abolish acquit adjourn adopt amend annul appoint approve arraign arrest authorise authorize ban block"
    " boycott cancel censure certify charge codify commute concede confirm convene convict criminalise criminalize"
    " debar declare decriminalise decriminalize deport depose detain devolve disband disqualify dissolve elect"
    " enact endorse exile expel extradite filibuster grant impeach impose imprison inaugurate indict initiate"
    " invoke jail legalise legalize mandate nationalise nationalize nominate oust outlaw"
    " override/overrode/overridden overrule overthrow/overthrew/overthrown overturn pardon pass petition plead"
    " privatise privatize prohibit prosecute ratify re-elect reappoint recall recognise recognize reelect"
    " reinstate reject repeal resign revoke sanction secede sentence sign strike/struck subpoena sue/sued/suing"
    " summon suspend swear/swore/sworn testify uphold/upheld veto vote waive withdraw/withdrew/withdrawn"
)
WAR_AND_DIPLOMACY: Final = (
    "abduct airlift ambush annex assassinate besiege bomb bombard capture cease conquer deploy detonate disarm"
    " encircle evacuate flee/fled hijack intercept invade kidnap kill launch liberate mobilise mobilize murder"
    " negotiate normalise normalize occupy overrun/overran/overrunning recapture rejoin repatriate rescue"
    " retake/retook/retaken retaliate seize shoot/shot sink/sank/sunk surrender"
)
MARKETS_AND_FIRMS: Final = (
    "acquire auction bankrupt buy/bought close convert default delist demerge devalue discontinue divest"
    " downgrade file foreclose fork halt hire issue liquidate list merge migrate outbid outsell/outsold peg"
    " purchase redeem refinance release relist relocate rename repay/repaid restructure sell/sold settle ship shut"
    " unionise unionize unveil"
)
SCIENCE_AND_TECHNOLOGY: Final = (
    "break/broke/broken clone collide crash decode decommission demonstrate deorbit deprecate detect diagnose"
    " discover disprove dock eradicate erupt explode falsify hack implant isolate land manufacture observe orbit"
    " predict prove/proven publish refute relapse replicate report retract sequence synthesise synthesize"
    " transplant vaccinate verify"
)
SPORT_AND_CULTURE: Final = (
    "appear award debut defeat dethrone draft eliminate headline host knight lose/lost marry medal outscore"
    " premiere qualify receive record relegate score trounce win/won"
)
DISASTER: Final = (
    "capsize collapse derail die/died/dying drown evict flood hospitalise hospitalize perish rupture topple"
)
PUBLIC_DEEDS: Final = (
    "abandon accept acknowledge admit announce apologise apologize attain attend begin/began/begun cede claim"
    " classify commence commission complete conclude conduct declassify delay deliver designate disclose dismantle"
    " dismiss divorce double enter establish exceed exit expire extend fail finalise finalize found halve hand"
    " hold/held inaugurate install introduce invite join leave/left meet/met nullify obtain occur order outnumber"
    " overtake/overtook/overtaken pledge postpone propose quadruple quit reach rebrand refuse register reimpose"
    " relinquish remove reopen replace request require reschedule restart restore resume reverse revert scrap"
    " scuttle select shelve show submit surpass switch tap terminate triple unseal visit"
)
OCCURRENCES: Final = " ".join(
    (
        LAW_AND_POLITICS,
        WAR_AND_DIPLOMACY,
        MARKETS_AND_FIRMS,
        SCIENCE_AND_TECHNOLOGY,
        SPORT_AND_CULTURE,
        DISASTER,
        PUBLIC_DEEDS,
    )
)

# ---- verbs of deeds that may be seen or not: enough in a question, or of somebody named

DEEDS: Final = (
    "achieve act add address adjust administer admit advance affirm agree aim air allege allocate allot allow"
    " alter answer appeal apply argue arm arrange arrive ask assault assemble assign assume attach attack attract"
    " authorize avoid bail bake bar base beat/beaten bid blame bless borrow bow brand breach"
    " brew bring/brought broadcast build/built burn bury calculate call campaign cap capitulate care carry cast"
    " catch/caught cease celebrate challenge change chase check choose/chose/chosen circle circulate cite"
    " clean clear click climb coach collaborate collect combine come/came commit compensate compete compile"
    " complain comply compose concern condemn confess connect consider consolidate construct contain continue"
    " contract control convey cook copy correct cost count cover create cross crown cultivate cut"
    " deal/dealt decide decline decree deduce deduct defect defend delete demand deny depart derive descend"
    " describe detail detain develop digitise direct discharge disclose disconnect display dispose distribute"
    " donate drain draw/drew/drawn drill drive/drove/driven drop dump duplicate earn edit electrify elevate"
    " embargo embed emerge employ end enforce engage enlarge enlist enrol enroll ensure equip exchange exclude"
    " execute exempt exhaust exhibit expand experience expire explore export express feature fight/fought find"
    " fine finish fire fit fix flag float fly/flew/flown fold follow force forecast forfeit forge"
    " forgive/forgave/forgiven form free freeze/froze/frozen fund fuse gain gather generate get/got/gotten"
    " give/gave/given go/went/gone guarantee guide harvest haul heat hide/hid/hidden hike hit hunt"
    " implement import improve include increase indicate infect inform inhabit inherit inject insert insist"
    " inspect insure invest investigate involve keep/kept lay/laid lead/led leak lease leave lend/lent lift"
    " limit link locate lock loosen lower make/made map mention merge mine mount move name"
    " need note notify offer open operate oppose organise organize outline own pack paint partner"
    " patent pave pay/paid perform permit persist photograph pick pilot place plan plant play plug post pour"
    " prepare present preside print probe process proclaim produce promise promote propose provide"
    " publicise pull pump push put qualify quarantine quote raid raise rank rate reaffirm reappear rebuild/rebuilt"
    " recommend recover recruit reduce reenter refer refund regain regulate reissue rejoin relaunch release rely"
    " remain remit renew rent reorganise repair repay replace represent rescind reserve reset resettle respond"
    " rest restrict retain retire retreat return reveal review revise rise/rose/risen roll rule"
    " run/ran/running sail sample save say/said scan schedule screen scrutinise seal secure see/saw/seen"
    " seek/sought send/sent separate sequester serve set share shell shift ship sit/sat slash sleep"
    " speak/spoke/spoken spend/spent split sponsor spread stab stage stamp stand/stood star start state stay"
    " steal/stole/stolen steer step stop store stream stretch strip supply support suppress survive"
    " swap sweep/swept take/took/taken target tax teach/taught tear/tore/torn tell/told test throw/threw/thrown"
    " tie top total tour tow track trade trail train transfer transit transmit transport travel treat trigger trim"
    " tunnel turn tweet uncover undergo/underwent unearth unlock unveil update upgrade upload urge use vacate"
    " vanish violate wear/wore/worn weigh withhold/withheld work write/wrote/written"
)

# ---- verbs of direction: enough where what they move is measured

DIRECTIONS: Final = (
    "accelerate change climb contract decline decrease dip drop expand fall/fell/fallen gain grow/grew/grown"
    " increase invert jump move narrow plummet plunge rally rebound recover rise/rose/risen shrink/shrank/shrunk"
    " slip slow slump soar surge tumble widen"
)
MEASURED: Final = frozenset(
    "average averages balance benchmark birthrate capacity capitalisation capitalization cases cost costs count"
    " cpi deaths debt deficit downloads earnings emissions employment enrollment enrolment exports fertility"
    " figure figures gdp gnp gross headcount imports income index inflation interest inventories level mortality"
    " number numbers odds output payrolls per-capita percent percentage permits pmi population ppi premium price"
    " prices production profit profits quota rank ranking rate rates rating ratings ratio reading registrations"
    " return returns revenue revenues salary sales score seats share shares size speed spending spread stock"
    " subscribers sum supply surplus temperature temperatures tenfold tonnage total turnout turnover unemployment"
    " users valuation value viewers visitors volume votes wage wages yield yields".split()
)

# ---- nouns of what happens and of what one either is or is not

HAPPENINGS: Final = frozenset(
    "acquisition acquittal adoption agreement amendment annexation announcement approval armistice arrest"
    " assassination attack attacks authorisation authorization avalanche bailout bankruptcy blackout blizzard"
    " bombing boycott by-election ceasefire clash clashes collision concession conflict conviction coup default"
    " deployment downgrade drought earthquake election elections embargo epidemic eruption evacuation explosion"
    " extradition famine flight handover hearing heatwave hurricane impeachment inauguration indictment insolvency"
    " invasion landing launch lawsuit layoffs lockdown loss mandate merger mission moratorium mutiny nomination"
    " outage outbreak pandemic pardon parole patent peace-treaty plebiscite premiere prosecution protest protests"
    " raid ratification rebellion recall recession referendum release resignation retirement revolution riot"
    " rioting riots sanctions scandal secession sentence shooting shutdown skirmish spacewalk strike strikes"
    " summit takeover tariff tariffs tornado transplant treaty trial truce tsunami unrest uprising verdict veto"
    " victory vote walkout war wildfire withdrawal".split()
)
STANDINGS: Final = frozenset(
    "ambassador available bankrupt biggest candidate candidates captain ceo chair chairman chairperson chairwoman"
    " champion champions chancellor chief circulation closed coach coalition commissioner compulsory"
    " constitutional control custody director effect eligible emergency fastest first force government governor"
    " guilty head highest holder illegal independent jail king largest last law leader listed longest lowest"
    " majority mandatory married mayor member minister minority monarch most-valuable nominee office offline"
    " oldest online operation opposition orbit owner parliament pope power pregnant premier presidency president"
    " prison production public queen richest runner-up second secretary senator service session smallest speaker"
    " tallest third unanimous unconstitutional unlawful vacant winner youngest".split()
)

# ---- what is merely felt, hoped or judged

FEELINGS: Final = (
    "accept/accepted adapt adjust affect aggravate appreciate backfire become/became behave believe/believed"
    " benefit blossom bolster boost bounce bring/brought care change come/came cool create crumble damage decay"
    " deepen degrade demand destabilise destabilize destroy deteriorate develop diminish discourage disrupt"
    " disturb dominate embrace empower encourage energise enhance enjoy enrich erode escalate evolve exploit"
    " expose face fade feel/felt find flourish foster fuel get/got give/gave go/went grow/grew/grown handle harm"
    " have help hinder hurt impact improve influence inspire intensify lag learn like look loom love make/made"
    " matter mature mean/meant mend motivate need overcome penalise perform play pollute progress promote prosper"
    " protect punish realise realize redefine reform regret reinvent renew reshape respect revitalise revive"
    " revolutionise revolutionize ruin see seem shape shift shine simmer solve spoil stabilise stabilize stagnate"
    " steady stimulate strengthen struggle succeed suffer support survive swing think/thought threaten thrive"
    " transform try turn undermine understand/understood value wake want warm waste weaken wonder work worry"
    " worsen"
)
JUDGEMENTS: Final = frozenset(
    "acceptable affordable aggressive amazing attractive authentic awful backward bad badly barbaric beautiful"
    " beneficial best better big bigger bleak boom boring brave bright brighter brilliant calm calmer chaotic"
    " cheap clean cleaner clear clearer close comfortable common competitive complicated cool corrupt crazy cruel"
    " dangerous dark decent deep different difficult dirty dishonest diverse divided doomed easier easy effective"
    " efficient enormous essential ethical everywhere evil excellent exciting exhausted fair fairer famous"
    " fantastic fashionable fine flexible fragile friendlier friendly game-changer good great greater happier"
    " happy hard harder harmful healthier healthy helpful hopeful horrible hostile huge humane immoral important"
    " impossible impressive inclusive inevitable influential innovative insecure interesting irrelevant kinder"
    " liveable logical lonely mainstream major massive meaningful mediocre messy modern moral morally natural"
    " necessary nervous new-normal nice nicer normal obsolete obvious outdated overhyped overrated peaceful"
    " personalised pointless political poor popular powerful precious productive profound prosperous proud quick"
    " radical rational real reasonable relevant reliable resilient respected responsible rich right robust sad"
    " safe safer secure selfish sensible serious severe shaky shameful significant silly simple simpler sincere"
    " smart smarter sophisticated spectacular stable strong stronger stupid substantial successful suitable"
    " superior sustainable tense terrible tough tougher transparent ubiquitous ugly unacceptable unaffordable"
    " unequal unfair unhappy unimportant unliveable unnecessary unpopular unrecognisable unsafe unstable"
    " unsustainable unthinkable urgent useful useless valuable vibrant vital vulnerable weak weaker welcome wise"
    " wiser wonderful worse worst worthless worthwhile worthy wrong".split()
)
DEGREES: Final = frozenset(
    "always badly completely considerably deeply dramatically enormously extremely forever fundamentally"
    " gradually greatly hugely immensely increasingly incredibly markedly massively nicely noticeably poorly"
    " profoundly quickly quite radically rapidly rather really seriously sharply significantly slowly somehow"
    " steadily strongly substantially totally truly utterly vastly well".split()
)
SWEEPING: Final = frozenset(
    "anything civilisation civilization culture difference era everybody everyone everyone's everything"
    " everywhere folks future generation generations humanity life lives lot lots mankind many mood nature nobody"
    " nothing one's outlook past people planet situation societies society somebody someone something soul spirit"
    " stuff they thing things tide trend values way ways world you youngsters your yourself youth".split()
)
# One is in or under these; "a force to be reckoned with" is another thing.
PLACES: Final = frozenset(
    "circulation control custody effect force government jail office operation opposition orbit parliament power"
    " prison production public service session".split()
)
# What an event verb has after it where it is only a figure of speech: lose touch, win friends, reach new heights.
NORMS: Final = frozenset("deserve deserves must mustn't needs ought shall should shouldn't".split())
POSSIBLE: Final = frozenset("can can't cannot would wouldn't".split())


def verb_forms(verbs: str) -> Iterator[tuple[str, str]]:
    """Every form of every verb with its shape: bare, s, past or ing."""
    for entry in verbs.split():
        bare, *irregular = entry.split("/")
        yield bare, "bare"
        sibilant = bare.endswith(("s", "x", "z", "ch", "sh"))
        if bare.endswith("y") and bare[-2] not in "aeiou":
            yield bare[:-1] + "ies", "s"
            stems, ing = (bare[:-1] + "i",), (bare + "ing",)
        elif bare.endswith("e"):
            yield bare + "s", "s"
            stems, ing = (bare[:-1],), (bare[:-1] + "ing", bare + "ing")
        else:
            yield bare + ("es" if sibilant or bare.endswith("o") else "s"), "s"
            doubled = bare + bare[-1] if bare[-1] not in "aeiouwxyh" and bare[-2] in "aeiou" else bare
            stems, ing = (bare, doubled), (bare + "ing", doubled + "ing")
        for stem in stems:
            yield stem + "ed", "past"
        for form in ing:
            yield form, "ing"
        for form in irregular:
            yield form, "ing" if form.endswith("ing") else "past"
    # Their past is their bare form.
    for form in "cut hit put set shut split spread cast bid quit let".split():
        if form in verbs.split():
            yield form, "past"
