"""Opposite sides are told from the same side in other words."""

import pytest

from cruxfinder.language.english.polarity import TEXT_MAX, are_opposed

# statement | its negation | a restatement
DEVELOPED_ON = """
The tram is cheap to run. | The tram is not cheap to run. | Operating the tram costs very little.
The new rule makes hiring easier. | The new rule makes hiring harder. | \
Finding staff has become simpler under the new rule.
Organic farming can feed the world. | Organic farming can't feed the world. | \
There is enough food for everyone if farms go organic.
Wind turbines kill many birds. | Wind turbines kill hardly any birds. | Large numbers of birds die at wind turbines.
Every district voted for the merger. | No district voted for the merger. | The merger won in all districts.
The engine will start in cold weather. | The engine won't start in cold weather. | \
Low temperatures do not stop the engine from starting.
The drug shortens the illness. | The drug does nothing to shorten the illness. | \
Patients recover sooner with the drug.
The archive is open to the public. | The archive is closed to the public. | Anyone may visit the archive.
The river is clean enough to swim in. | The river is too dirty to swim in. | You can bathe in the river without worry.
Sugar causes hyperactivity. | It is a myth that sugar causes hyperactivity. | Eating sweets makes children restless.
Immigration lowers wages. | Immigration raises wages. | Pay goes down when more workers arrive.
Tests on animals are necessary. | Tests on animals are unnecessary. | Medicine needs animal experiments.
Video games make players violent. | Video games do not make players violent. | \
People who play shooters become aggressive.
Tourism benefits the island. | Tourism is bad for the island. | The island gains from visitors.
The dam protects the village from floods. | The dam leaves the village unprotected from floods. | \
Thanks to the dam the village stays dry.
The password was stored in plain text. | The password was not stored in plain text. | \
They kept the password unencrypted.
The library should stay open on Sundays. | The library should close on Sundays. | \
Sunday opening of the library ought to continue.
Older workers learn quickly. | Older workers learn slowly. | Senior staff pick things up fast.
The strike succeeded. | The strike failed. | The workers won their strike.
The patch fixes the memory leak. | The patch does not fix the memory leak. | \
With the patch no memory is leaked any more.
Long meetings waste time. | Long meetings do not waste time. | Hours are lost in lengthy meetings.
The mayor kept her promise. | The mayor broke her promise. | What the mayor had promised she did.
Reading fiction makes people kinder. | Reading fiction makes nobody kinder. | \
Novels teach us to be gentle with others.
The contract allows early termination. | The contract forbids early termination. | \
Under the contract one may leave early.
Most patients tolerate the treatment. | Hardly any patients tolerate the treatment. | \
The treatment is well borne by the majority of patients.
Grammar schools increase inequality. | Grammar schools reduce inequality. | \
The gap between rich and poor widens with selective schools.
The software is easy to learn. | The software is difficult to learn. | Beginners master the program without trouble.
Speed limits save lives. | Speed limits do not save lives. | Fewer people die where traffic is slowed down.
Meat production harms the climate. | Meat production does not harm the climate. | Raising cattle heats the planet.
The lift is out of order. | The lift is working. | One cannot use the lift at the moment.
The cable is long enough to reach the wall. | The cable is too short to reach the wall. | \
The wall is within reach of the cable.
Open offices encourage cooperation. | Open offices discourage cooperation. | \
Colleagues work together more in shared rooms.
""".strip().splitlines()

# Not looked at while the rule was written.
HELD_OUT = """
Bees are declining in the valley. | Bees are thriving in the valley. | The valley has fewer bees every year.
Homework teaches pupils self-control. | Homework teaches pupils no self-control. | \
Children learn to manage themselves by doing tasks at home.
The committee approved the budget. | The committee rejected the budget. | The budget got the committee's blessing.
Our backups are reliable. | Our backups are unreliable. | We can depend on our backups.
Cycling in the city is dangerous. | Cycling in the city is safe. | Riding a bike in town puts people at risk.
Parents trust the new teacher. | Parents do not trust the new teacher. | \
The new teacher has the confidence of parents.
Rent control helps tenants. | Rent control hurts tenants. | Tenants are better off when rents are capped.
Voting by mail invites fraud. | Voting by mail does not invite fraud. | Postal ballots make cheating likely.
The test suite catches most bugs. | The test suite catches few bugs. | The majority of defects are found by the tests.
The treaty was signed by all members. | The treaty was never signed by all members. | \
All members put their names under the treaty.
The council listens to residents. | The council ignores residents. | Residents are heard by the council.
The museum can survive without grants. | The museum cannot survive without grants. | \
Even with no subsidies the museum would keep going.
The supplier delivers on time. | The supplier fails to deliver on time. | Goods from this supplier come when promised.
The evidence supports the theory. | The evidence contradicts the theory. | What we know fits the theory.
Electric cars pollute less than diesel cars. | Electric cars pollute more than diesel cars. | \
Diesel vehicles are dirtier than electric ones.
Prisons turn small offenders into criminals. | Prisons don't turn small offenders into criminals. | \
Going to jail makes petty thieves worse.
The forecast was accurate. | The forecast was inaccurate. | What was predicted came true.
Coffee is good for the heart. | Coffee is bad for the heart. | Drinking coffee keeps the heart healthy.
Everybody understood the instructions. | Nobody understood the instructions. | The instructions were clear to all.
Nuclear waste can be stored safely. | There is no way to store nuclear waste safely. | \
Safe storage of nuclear waste is possible.
The bank is solvent. | The bank is insolvent. | The bank can pay its debts.
Dogs should be allowed in the park. | Dogs should be banned from the park. | The park ought to admit dogs.
The data show a clear trend. | The data show no clear trend. | A trend is plainly visible in the data.
Solar panels pay for themselves. | Solar panels never pay for themselves. | The cost of solar panels is earned back.
The suspect was at home that night. | The suspect was not at home that night. | \
That night the suspect stayed in his house.
Tides can power the whole coast. | It is impossible to power the whole coast with tides. | \
The entire coast could run on energy from the sea.
The audit found mistakes. | The audit found no mistakes. | Errors came to light in the audit.
The judge believed the witness. | The judge did not believe the witness. | The witness was credible to the judge.
The village wants the wind farm. | The village opposes the wind farm. | \
People in the village are in favour of the wind farm.
Small classes raise marks. | Small classes make no difference to marks. | Pupils do better when the class is small.
The minister knew about the report. | The minister was unaware of the report. | The report was known to the minister.
The claim that crime is rising is true. | The claim that crime is rising is false. | Crime is in fact going up.
""".strip().splitlines()

# Written last, with more of the negations in other words; looked at once.
HARDER = """
The glacier is retreating. | The glacier is not retreating. | The ice on the mountain is shrinking.
The clinic treats everyone. | The clinic treats nobody. | No patient is turned away by the clinic.
Fasting is healthy. | Fasting is unhealthy. | Going without food does the body good.
The referee saw the foul. | The referee missed the foul. | The foul did not escape the referee.
Higher fees keep students away. | Higher fees do not keep students away. | Fewer people study when it costs more.
The merger will create jobs. | The merger will destroy jobs. | New posts will come from joining the firms.
This bridge needs repair. | This bridge needs no repair. | Somebody has to mend this bridge.
Cats can see in the dark. | Cats cannot see in the dark. | In darkness a cat's eyes still work.
The editor accepted the article. | The editor turned down the article. | The article was taken by the editor.
Printing money causes inflation. | Printing money has no effect on inflation. | \
Prices go up if the mint runs too fast.
The roof is watertight. | The roof leaks. | No rain comes through the roof.
The jury was unanimous. | The jury was divided. | All jurors agreed.
The path is wide enough for two. | The path is too narrow for two. | Two people can walk side by side on the path.
Our servers were attacked. | Our servers were never attacked. | Somebody broke into our machines.
The song is popular. | The song is unpopular. | Many people like the song.
Forests cool the city. | Forests heat the city. | Trees bring down temperatures in town.
The witness is lying. | The witness is telling the truth. | What the witness says is false.
The company pays its debts. | The company fails to pay its debts. | The firm settles what it owes.
Free buses reduce traffic. | Free buses increase traffic. | There are fewer cars when the bus costs nothing.
The cure is worse than the disease. | The cure is better than the disease. | \
The treatment does more damage than the illness.
Exams measure knowledge. | Exams do not measure knowledge. | What one knows can be seen in an examination.
The border should be open. | The border should be closed. | People ought to be free to cross the border.
Most farmers back the law. | Hardly any farmers back the law. | The law has the majority of farmers behind it.
The archive survived the fire. | The archive was destroyed in the fire. | The flames spared the archive.
It is likely that rates will fall. | It is unlikely that rates will fall. | Rates will probably come down.
The heating works. | The heating is broken. | There is nothing wrong with the heating.
Sleep helps memory. | Lack of sleep helps memory. | One remembers more after a good night.
The plan lacks support. | The plan has support. | Few people are behind the plan.
The pilot ignored the warning. | The pilot heeded the warning. | The warning was disregarded by the pilot.
Wolves are a threat to sheep. | Wolves are no threat to sheep. | Sheep are in danger where wolves live.
""".strip().splitlines()


@pytest.mark.parametrize("line", DEVELOPED_ON, ids=lambda line: line.partition(" | ")[0])
def test_a_negation_is_opposed_and_a_restatement_is_not(line: str) -> None:
    statement, negation, restatement = line.split(" | ")
    assert are_opposed(statement, negation) and are_opposed(negation, statement)
    assert not are_opposed(statement, restatement) and not are_opposed(restatement, statement)


@pytest.mark.parametrize(("lines", "least"), [(HELD_OUT, 0.9), (HARDER, 0.9)], ids=["held out", "harder"])
def test_most_negations_are_heard_and_few_restatements_are_mistaken(lines: list[str], least: float) -> None:
    told = [line.split(" | ") for line in lines]
    assert sum(are_opposed(statement, negation) for statement, negation, _ in told) >= least * len(told)
    assert sum(are_opposed(statement, restatement) for statement, _, restatement in told) <= 0.05 * len(told)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        pytest.param("The ferry is safe.", "There is no danger on the ferry.", id="no and an opposite"),
        pytest.param("Uniforms improve conduct.", "Without uniforms conduct gets worse.", id="without and an opposite"),
        pytest.param("Trams help shops.", "It is not true that trams do not help shops.", id="two negations"),
        pytest.param("The helmet makes riders safer.", "The helmet reduces the risk for riders.", id="less of the bad"),
        pytest.param("The cure does not work.", "There is no evidence that the cure works.", id="no evidence that"),
        pytest.param("Bees are useful.", "Not only are bees useful, they are pretty.", id="not only"),
        pytest.param("The well is dry.", "The well is dry, no doubt.", id="no doubt"),
        pytest.param("A few shops sell bread.", "Some shops sell bread.", id="a few is not few"),
        pytest.param("Nuclear power is safe.", "Nuclear power is safe but not cheap.", id="another thing is denied"),
        pytest.param("Migration lowers wages.", "Immigration lowers wages.", id="a prefix that denies nothing"),
        pytest.param("Bread is good.", "Bread is good.", id="the same text"),
        pytest.param("", "", id="nothing"),
        pytest.param("", "Bread is not good.", id="nothing and something"),
        pytest.param("Das Brot ist nicht gut.", "Das Brot ist gut.", id="a language it does not know"),
    ],
)
def test_not_opposed(a: str, b: str) -> None:
    assert not are_opposed(a, b) and not are_opposed(b, a)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        pytest.param("Cats can swim.", "Cats can't swim.", id="contracted"),
        pytest.param("Cats can swim.", "Cats can’t swim.", id="with a typographic mark"),
        pytest.param("CATS CAN SWIM", "cats cannot swim", id="whatever the case"),
        pytest.param("The list convinces everyone.", "The list convinces nobody.", id="denied from behind"),
        pytest.param("The box can be lifted.", "The box is too heavy to lift.", id="too much to"),
        pytest.param("The bench is strong enough for two.", "The bench is too weak for two.", id="too little to"),
        pytest.param("The drink is painful.", "The drink is painless.", id="an ending"),
        pytest.param("The tax is avoidable.", "The tax is unavoidable.", id="a prefix"),
        pytest.param("Prices rose.", "The claim that prices rose is a myth.", id="a claim called a myth"),
        pytest.param("The guards let the crowd in.", "The guards refused to let the crowd in.", id="refused to"),
    ],
)
def test_opposed(a: str, b: str) -> None:
    assert are_opposed(a, b) and are_opposed(b, a)


def test_what_lies_beyond_the_bound_is_not_read() -> None:
    long = "Trams help shops. " * (TEXT_MAX // 18 + 1)
    assert not are_opposed(long, f"{long} Trams never help shops.")
