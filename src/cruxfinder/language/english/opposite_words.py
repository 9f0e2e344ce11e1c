"""Words that have an opposite, and words for the good and the bad: what `polarity` tells sides by.

On a line of opposites stand the one pole, then the other; regular inflections are found by themselves.
"""

from typing import Final


def _poles(table: str) -> dict[str, dict[str, int]]:
    """Each word with its sign on every line it stands on; a line is named by its first word."""
    found: dict[str, dict[str, int]] = {}
    for line in table.strip().splitlines():
        plus, minus = (half.split() for half in line.split("|"))
        for sign, words in ((1, plus), (-1, minus)):
            for word in words:
                found.setdefault(word, {})[plus[0]] = sign
    return found


OPPOSITES: Final = _poles("""
raise increase grow rise boost expand climb soar surge escalate multiply rose risen grew grown high more up upward \
larger bigger greater skyrocket spike accumulate magnify swell mount \
| lower decrease reduce shrink fall drop decline cut diminish dwindle plunge slash sink fell fallen sank low less \
few lessen erode curb down downward tumble plummet recede ebb subside wane dwindle smaller dampen
improve better enhance upgrade best strengthen | worsen worse deteriorate degrade impair worst weaken undermine
help benefit beneficial aid advantage good great excellent useful positive boon healthy gain | hurt harm damage \
harmful disadvantage detrimental bad terrible awful useless negative hinder hamper burden injure ruin curse toxic \
destructive counterproductive
safe secure safety security | dangerous danger risky risk hazardous hazard threat threaten peril deadly
strong robust sturdy solid powerful strength | weak fragile flimsy feeble weakness brittle frail
accept endorse embrace welcome adopt acceptance | reject dismiss spurn rejection veto rebuff
support favour favor defend advocate champion supporter proponent | oppose resist opponent against opposition
agree agreement concur consensus | disagree dispute dissent disagreement
approve approval praise applaud | disapprove condemn criticise criticize denounce
allow permit enable legalise legalize legal lawful authorise authorize | forbid prohibit ban prevent block stop \
outlaw illegal prohibition disallow criminalise criminalize
true correct accurate valid truth | false wrong incorrect mistaken myth flawed falsehood error lie lying
easy simple easily effortless straightforward | difficult hard complicated complex difficulty arduous tough
possible feasible achievable doable viable workable | impossible impracticable unworkable
likely probable | unlikely improbable
succeed success work successful win won victory triumph effective | \
fail failure lose lost defeat flop break broke broken
cheap inexpensive affordable | expensive costly pricey overpriced
fast quick rapid swift accelerate hasten | slow sluggish delay
early soon | late belated overdue
begin start launch commence continue resume began begun | end cease finish halt abandon discontinue quit
create build produce construct establish built | destroy abolish demolish dismantle eliminate eradicate wreck \
scrap destruction
protect preserve conserve safeguard protection shield | endanger expose jeopardise jeopardize imperil
include contain inclusive | exclude omit exclusion
necessary essential required indispensable vital crucial need | unnecessary superfluous redundant dispensable \
pointless
fair just equitable justice | biased unjust unfair injustice inequitable
equal equality same identical alike | inequality different unlike
moral ethical virtuous | wicked evil immoral unethical
certain sure definite | doubtful dubious uncertain
clear obvious evident | vague obscure murky
rich wealthy prosperous wealth prosperity affluent | impoverished destitute bankrupt poverty
happy glad pleased happiness joy | sad miserable misery
love enjoy adore | hate dislike despise loathe detest
trust believe confident trustworthy reliable dependable rely | distrust disbelieve suspicious mistrust
honest sincere truthful | deceitful dishonest
full whole complete entire | empty partial
many most majority plenty numerous much abundant | minority scarce sparse
major big large huge significant substantial important considerable | minor small tiny insignificant negligible \
trivial slight
long lengthy | short brief
modern novel new | obsolete outdated old ancient
public | private
natural organic | artificial synthetic
clean pure | dirty polluted
hot warm | cold
alive survive survival | dead die extinct death destroy perish kill
liberate freedom liberty | enslave imprison captivity
unite join merge united | divide split separate
friend ally | enemy foe
peace peaceful | war violent violence fight fighting
attract | repel deter
encourage motivate promote foster inspire stimulate | discourage suppress stifle inhibit demotivate
remember recall | forget forgot forgotten
reward | punish penalise penalize
hire recruit employ | sack dismissal
buy purchase bought | sell sold
give grant provide supply gave | withhold
profitable profit lucrative | loss
visible apparent | hidden invisible
stable steady stability | volatile volatility instability
flexible adaptable | rigid
efficient productive | wasteful waste
rational reasonable sensible logical wise smart | foolish stupid silly absurd
solve fix repair resolve mend | break broke broken
obey comply | violate breach flout
keep retain maintain kept | discard remove dump
arrive enter | depart exit
maximum maximise maximize | minimum minimise minimize
optimistic hopeful | pessimistic hopeless
guilty culpable blame fault culprit culpability | innocent blameless faultless innocence
voluntary | compulsory mandatory obligatory
temporary | permanent
transparent transparency | opaque secretive
confirm prove verify demonstrate proven | refute disprove debunk contradict
worthwhile worth worthy valuable | worthless
competent able capable skilled | inept
sufficient adequate enough | insufficient inadequate
overestimate exaggerate overrate | underestimate understate underrate
admit confess concede | deny
winner | loser
unanimous | divided split
confidence | doubt distrust mistrust
work function operate | malfunction break broke broken
accept take | refuse reject decline
continue persist | cancel stop suspend
famous known | unknown
respect admire | despised insult disrespect
calm relaxed | anxious nervous stressful stress
cooperate collaborate | compete sabotage
ahead | behind
before | after
above | below beneath
inside | outside
light | heavy
wide broad | narrow
deep | shallow
thick | thin
bright | dark
loud noisy | quiet silent
wet | dry
boom | recession slump
advance progress | retreat regress
surplus | deficit shortage
heal | infect sicken
open | close shut
keep honour honor fulfil fulfill kept | break broke broken betray
thrive flourish prosper bloom recover | decline wither perish vanish suffer collapse
listen heed notice consider see saw seen catch caught | ignore neglect overlook disregard miss
add | subtract remove delete
appear emerge | disappear vanish
reveal show disclose expose publish | hide conceal
pass | fail
present | absent
near close | far distant
attack | defend protect
cause trigger provoke | prevent avert
widen broaden | narrow
tighten | loosen relax
lengthen extend prolong | shorten
heat warm | cool
gather collect assemble | scatter disperse
severe serious grave | mild
strict harsh | lenient
active | passive
young | old elderly
urban | rural
local | global
import | export
inflation inflate | deflation deflate
invest save | divest spend
hope | fear dread
brave courage courageous | cowardly coward
generous | stingy greedy selfish
polite | rude
humble modest | arrogant proud
popular | hated
precise exact | vague
objective neutral impartial | subjective partisan
release free | capture detain arrest
tame | wild
smooth | rough
urgent | postpone
simplify | complicate
stay remain | leave withdraw quit left
last endure persist hold survive | dissolve collapse crumble disintegrate disband
gain win earn | lose lost forfeit
spend | save
teach learn | unlearn forget
calm soothe pacify | provoke enrage
attend | skip
ease relieve alleviate soothe | worsen aggravate exacerbate
settle conclude end | prolong perpetuate
know aware | ignorant oblivious
agree match | contradict clash
repeal revoke | impose introduce enact
withstand resist endure | collapse crack crumble buckle yield
welcome praise laud hail cheer applaud celebrate | deplore lament slam pan condemn criticise criticize
blame accuse convict incriminate | absolve acquit exonerate
uphold sustain | overturn quash annul
save rescue spare | ruin wreck crush doom
abundant ample plentiful sufficient | scarce lacking shortage scarcity
depend dependent reliant | independent autonomous
swell balloon double triple grow rise | narrow shrink halve
obey follow heed | flout
exceed outnumber surpass outpace | trail lag
draw lure attract invite | deter repel
connect unite bond bring | isolate lonely
silent quiet calm | din racket chaos noise noisy
satisfied content pleased | frustrated dissatisfied upset
recommend advise urge | warn dissuade
share distribute | hoard
apply cover | exempt
feed fuel stoke | dampen quell
fill crowd | empty
healthy fit | sick ill
keep retain | shed
phase scrap dispense | remain retain stay available
quickly overnight fast soon | decades forever ages slowly
diligent hardworking | lazy idle sluggish
ahead lead leading | overtaken behind trailing
overestimate above exceed | underestimate below
surprise unforeseen unexpected surprised startled | predicted foreseen foresaw expected anticipated forecast
force forced compel coerce oust expel push | voluntary willing freely
bankrupt insolvent bust broke | solvent healthy
genuine authentic real original | forgery fake counterfeit copy bogus
illusion fiction imaginary myth hoax | real reality fact
faithful accurate close | distort misrepresent garble
trespass intrude spy snoop | respect safe
employ hire recruit | dismiss fire fired redundant
flourish bustle lively | deserted dying desolate
educate inform enlighten | mislead misinform deceive
punish retribution | rehabilitate rehabilitation
mandate oblige obligatory compel compulsory must require | optional voluntary waive choose
tolerate accept allow | intolerable unbearable unacceptable
invite welcome admit | bar shun expel
fund finance pay sponsor | defund withdraw bankrupt
expand extend enlarge | cutback curtail
heighten intensify amplify deepen | soften mute mitigate lessen
unify integrate | fragment segregate polarise polarize
boom thrive | struggle languish stagnate wither
relevant related connected linked pertinent matter | irrelevant unrelated unconnected immaterial moot unimportant
deliberate intentional planned purpose | accidental accident chance mistake
temporary brief passing fleeting | permanent lasting forever enduring
rare rarely unusual exceptional | common frequent widespread usual often everywhere
familiar | strange alien
complete finished done | unfinished incomplete begun
empower enable | disempower cripple disable
trust faith | cynicism suspicion suspicious wary
sober | drunk
victory win | rout defeat
simple plain | convoluted intricate
ready prepared | unprepared unready
married | single divorced
vacant empty available free | occupied booked taken
domestic home | foreign abroad
cope manage handle | overwhelm
boring dull tedious dreary monotonous | interesting exciting gripping fascinating enthralling riveting
beautiful pretty lovely handsome | ugly hideous unsightly
tasty delicious palatable | bland tasteless inedible
superior outperform outdo outclass outshine | inferior underperform
overrated | underrated
overpriced overvalued | underpriced undervalued bargain
overstaffed overmanned | understaffed undermanned
overfunded | underfunded
overcrowded overpopulated packed crammed busy | deserted empty uninhabited
overused | underused
legitimate constitutional lawful valid binding | illegitimate unconstitutional void null
humane kind gentle merciful compassionate | cruel brutal savage inhumane merciless
friendly hospitable cordial | hostile unfriendly
tolerant tolerance | intolerant bigoted prejudiced intolerance prejudice
awake alert | asleep sleepy drowsy
nutritious wholesome edible | poisonous toxic
fertile lush | barren
reassure comfort | frighten scare alarm terrify worry
entertain amuse | bore
inspire energise energize invigorate | exhaust tire drain
clarify illuminate | confuse muddle obscure obfuscate
innovate innovative original inventive creative | derivative unoriginal hackneyed stale
centralise centralize concentrate | decentralise decentralize disperse
nationalise nationalize | privatise privatize
regulate | deregulate
hero heroine heroic | villain traitor coward
fresh | stale rotten
loyal loyalty | traitor treacherous disloyal treason
ascend | descend
victim | culprit perpetrator aggressor
obedient | rebellious defiant
majority mainstream | fringe
attentive attention | distract distraction
sleep | insomnia
frugal thrifty economical | extravagant lavish profligate
lend | borrow
innate inborn hereditary inherited genetic | learned acquired learnt
superfluous surplus excess | shortage scarcity dearth
fulfil fulfill meet met achieve reach attain | miss missed
deliver | withhold
accelerator catalyst spur | brake obstacle
asset | liability
merit virtue | vice
truthful | liar lied lie
widespread rife rampant | rare isolated
prosper | stagnate
ripe mature | immature unripe childish
strengthen reinforce shore fortify consolidate | sap undermine
retain | repel
unity harmony | discord strife
save saving savings | cost
purify clean cleanse | pollute contaminate taint
soothe calm defuse | inflame incite agitate
enliven liven brighten | deaden dull depress
enrich | impoverish
focus concentrate | distract
thaw melt | freeze
minimise minimize downplay belittle | magnify exaggerate overstate dramatise dramatize
encourage motivate | demoralise demoralize dishearten
nourish feed | starve
please delight | annoy anger irritate infuriate upset
topple overthrow oust | prop
qualify eligible | disqualify ineligible
replenish refill | deplete exhaust drain
save conserve | squander
shelter shield | expose
spread | contain
stabilise stabilize steady | destabilise destabilize unsettle rock
work succeed | backfire misfire
normal ordinary mundane commonplace | abnormal strange odd unique special
predictable regular consistent | erratic random unpredictable inconsistent
proud pride | ashamed shame
sane | insane mad crazy
selfless altruistic | selfish egoistic
skilful skilled expert professional | clumsy amateur novice
spacious roomy | cramped
spontaneous | rehearsed staged
sweet | bitter sour
advantage upside plus | drawback downside minus
bonus incentive | penalty deterrent disincentive
growth expansion | contraction decline
knowledge expertise | ignorance
orderly | chaotic anarchic
supporter fan advocate | critic detractor
open openly transparent | secret secretly covert
convince persuade | deter dissuade
arrival | departure
wisdom | folly
pleasant nice | nasty unpleasant
relaxed | tense
believe credulous gullible | sceptic sceptical skeptic skeptical doubt
mostly mainly | hardly
float | sink
tough strict | soft lenient
plentiful glut | shortage
hopeful hope | despair desperate
solid | hollow
progressive | backward regressive
curable treatable | incurable
orderly tidy neat | messy untidy chaotic
upper top | lower bottom
punctual prompt | delay late overdue
careful cautious care | careless reckless negligent
burden curse bane plague liability scourge | boon blessing asset gift godsend
""")

# Good for somebody, bad for somebody: this tells texts apart only where no line above has words of both.
VALUE: Final = "*"
GOOD: Final = """
good better best great well ahead enrich empower ally advance attractive sensible thriving delicious beautiful gain
gains reward merit virtue strength asset uplift cheerful excel excellent ideal perfect admire admirable celebrate
applaud approve endorse embrace champion bless lifeline cornerstone pillar engine backbone refuge shelter friend
healthy affordable accessible inclusive reliable stable clarity help benefit boon blessing gift godsend protect
preserve save rescue improve strengthen boost serve heal profit thrive flourish prosper succeed win safe secure sound
useful suit suits valuable trusted fair clean welcome praise love enjoy happy proud glad satisfied content worthwhile
trust calm peace harmony progress relief nurture lucky fortunate afford wise faithful genuine brilliant effective
efficient respect rehabilitate chance favour support comfort recover delight treasure success triumph solution remedy
opportunity bargain generous honest truth
"""
BAD: Final = """
bad worse worst ill harm burdensome bleed drain sink sour rot rotten cruel brutal ugly bitter hostile enemy foe deter
deteriorate degrade stifle choke strangle smother starve suffocate sap mock insult demean humiliate deplore condemn
denounce oppose resent regret shame disgrace scandal farce sham joke trap prison noose millstone cancer poisonous
harmful deadly lethal fatal costly expensive ruinous chaotic shambles mess incompetent corrupt deprive penalise
penalize alienate exclude marginalise jeopardise backfire worsen hurt damage burden curse bane plague liability
scourge destroy ruin wreck crush cripple poison weaken undermine endanger threaten threat danger dangerous risk hazard
sick toxic useless worthless unfair unjust weak hate despise angry sad misery disaster catastrophe chaos crisis
collapse fail failure lose loss bankrupt suffer pain grief menace nuisance blight erode spoil sabotage exploit cheat
oppress discriminate punish overwhelm devastate nightmare folly blunder reckless futile dire corrosive wasteful waste
broken flawed lazy lonely alone isolated poverty victim violate distort forgery spy spies fraud redundant problem
trouble obstacle drag handicap setback mistake deceive mislead betray neglect defect flaw burdens
"""
for _sign, _words in ((1, GOOD), (-1, BAD)):
    for _word in _words.split():
        OPPOSITES.setdefault(_word, {})[VALUE] = _sign

# Words on the poles above that deny what follows them, where the other text has no word of their line.
DENYING: Final = frozenset(
    "forbid prohibit ban prevent block stop outlaw reject abolish eliminate eradicate end cease halt exclude"
    " deny".split()
)
# Less of a thing is a turn towards its opposite: "reduces the risk" stands beside "safe".
LESSENING: Final = frozenset(
    "lower decrease reduce shrink cut diminish slash less few lessen erode curb low remove eliminate eradicate end"
    " prevent stop".split()
)
