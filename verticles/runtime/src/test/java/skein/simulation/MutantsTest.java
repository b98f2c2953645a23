package skein.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;
import skein.simulation.Mutant.Edit;

/** The simulation finds mistakes that were made on purpose. */
@Tag("long")
class MutantsTest {
  private static final long SEEDS = 1_000;

  /** Only those whose name contains it. */
  private static final String NAMED = System.getProperty("simulation.mutants", "");

  private static final Logger LOG = (Logger) LoggerFactory.getLogger("skein");

  @BeforeAll
  static void beSilent() {
    LOG.setLevel(Level.OFF);
  }

  @AfterAll
  static void speakAgain() {
    LOG.setLevel(null);
  }

  static Stream<Mutant> mutants() {
    var follower =
        new Edit(
            "storage/CommitQueue.java",
            """
                landed(sequence);
                abandonWaiting(sequence);
                forgetIfEmpty(sequence);
            """,
            """
                committed(sequence);
            """);
    var all =
        Stream.of(
            new Mutant("the statement compares the revision alone", true, List.of()),
            Mutant.of("a follower is kept when its base died", follower).comparingRevisionAlone(),
            Mutant.of(
                "a key is not released, and its claim never ends",
                new Edit(
                    "ingress/Keys.java",
                    "return leases.release(claim);",
                    "return Future.succeededFuture();"),
                new Edit(
                    "ingress/Keys.java",
                    "options.lease(), options.claimMax()",
                    "options.lease(), Duration.ofDays(1)")),
            Mutant.of(
                "a bookmark is resumed after its end",
                new Edit(
                    "decisions/Decide.java",
                    "earlier(checkToken(resume.via(), bookmark), end)",
                    "checkToken(resume.via(), bookmark)")),
            Mutant.of(
                "an event resumes a bookmark after its end",
                new Edit(
                    "decisions/DecideTimer.java", "Guard.notAfter(end)", "Guard.notAfter(null)")),
            Mutant.of(
                "an event is counted whatever became of it",
                new Edit("events/Published.java", "default -> GONE;", "default -> COMMITTED;")),
            Mutant.of(
                "the receivers of an event stay in memory when they have been served",
                new Edit(
                    "ingress/EventPublisher.java",
                    "var served = serve(receivers, true).onComplete(_ -> receivers.close());",
                    "var served = serve(receivers, true);")),
            Mutant.of(
                "the receivers of an event stay in memory when all but one have gone meanwhile",
                new Edit(
                    "ingress/EventPublisher.java",
                    "? serve(receivers, false).onComplete(_ -> receivers.close())",
                    "? serve(receivers, false)")),
            Mutant.of(
                "the receivers of an event of an instance stay in memory when they have been"
                    + " served",
                new Edit(
                    "execution/EventDelivery.java", ".onComplete(_ -> receivers.close())", "")),
            Mutant.of(
                "state and history are read one after the other",
                new Edit(
                    "execution/StateLoader.java",
                    ".compose(snapshot -> found(work, snapshot));",
                    """
                    .compose(snapshot -> snapshot.executed() != null
                        ? found(work, snapshot)
                        : loop.after(java.time.Duration.ofMillis(100))
                            .compose(_ -> loop.bring(dependencies.instances().state(id)))
                            .compose(state -> found(work, new Snapshot(state, null))));
                    """)),
            Mutant.of(
                "a timer whose putting off failed is being fired for ever",
                new Edit(
                    "timers/Scheduler.java",
                    "loop.bring(backOff(timer, e, isOwn)).onComplete(_ -> over(timer));",
                    "loop.bring(backOff(timer, e, isOwn)).onSuccess(_ -> over(timer));")),
            Mutant.of(
                "timers behind a large payload stay where they are when it was read",
                new Edit(
                    "timers/LargePayloads.java",
                    "      budget.giveBack(size);\n      become(timer, State.IDLE);\n",
                    "      budget.giveBack(size);\n")),
            Mutant.of(
                "a payload that was not read is being read for ever",
                new Edit(
                    "timers/PayloadReader.java",
                    "        payloads.readEnds();\n",
                    "        if (result.succeeded()) { payloads.readEnds(); }\n")),
            Mutant.of(
                "the memory of a large payload is not given back",
                new Edit("timers/LargePayloads.java", "      budget.giveBack(size);\n", "")),
            Mutant.of(
                "the memory for payloads that were read is not given back",
                new Edit("timers/LargePayloads.java", "    budget.settle(granted, taken);\n", "")),
            Mutant.of(
                "a payload that was not read rests for ever",
                new Edit(
                    "timers/PayloadReader.java",
                    "            resting.forEach(payloads::hasRested);\n",
                    "")),
            Mutant.of(
                "a timer that was gone when its payload was read is being fired for ever",
                new Edit(
                    "timers/PayloadReader.java",
                    "firing.over(timer); // It is gone, or was postponed.",
                    "firing.waits(timer);")),
            Mutant.of(
                "a page of timers that was not read is waited for",
                new Edit(
                    "timers/TimerReader.java",
                    """
                              busy = false;
                              if (result.succeeded()) {
                    """,
                    """
                              busy = result.failed();
                              if (result.succeeded()) {
                    """)),
            Mutant.of(
                "a look at the leases that failed is not repeated",
                new Edit("timers/Leadership.java", "    lookIn(retry);\n", "")),
            Mutant.of(
                "a chain without an answer is put together anew",
                new Edit(
                    "storage/CommitQueue.java",
                    "    again.reversed().forEach(ready::addFirst);",
                    """
                        for (var sequence : again.reversed()) {
                          var sent = sequence.underWay();
                          sent.members.reversed().forEach(sequence.waiting::addFirst);
                          landed(sequence);
                          ready.addFirst(sequence);
                        }
                    """)),
            Mutant.of(
                "what is proposed after the first is not sent by itself",
                new Edit("storage/Committer.java", "        goesOnSoon = false;\n", "")),
            Mutant.of(
                "what may have lost to itself is told as lost",
                new Edit(
                    "storage/CommitResults.java",
                    "} else if (sequence.underWay().uncertain) {",
                    "} else if (sequence.underWay().attempts < 0) {")),
            Mutant.of(
                "what was not answered has no room in the statements after it",
                new Edit(
                    "storage/CommitOptions.java",
                    "Math.max(1, bytesMax >> halvings)",
                    "bytesMax >> halvings")),
            Mutant.of(
                "a refusal that rests on a copy is believed",
                new Edit(
                    "execution/CommandRunner.java",
                    "&& Refusals.mayDependOnTheState(code)",
                    "&& code == ErrorCode.INTERNAL")),
            Mutant.of(
                "a refusal that rests on a state to come is believed",
                new Edit(
                    "execution/CommandRunner.java",
                    ".otherwise(e -> null) // Refused for a state that may never be: asked again"
                        + " below.",
                    "")),
            Mutant.of(
                "a repeated command is decided without its history",
                new Edit(
                    "execution/Work.java", "case REPEATED -> true;", "case REPEATED -> false;")),
            Mutant.of(
                "a repetition has another id",
                new Edit(
                    "cluster/Order.java",
                    "return new Order(command, id, Delivery.REPEATED, key, false);",
                    "return new Order(command, UUID.randomUUID(), Delivery.REPEATED, key,"
                        + " false);")),
            Mutant.of(
                "a link leaves, and its burst was not committed",
                new Edit(
                    "execution/CommandRunner.java",
                    "private final Preconditions preconditions;",
                    "private final Preconditions preconditions;\n"
                        + "  private final ExternalWork externalWork;"),
                new Edit(
                    "execution/CommandRunner.java",
                    "this.preconditions =",
                    "this.externalWork = own.externalWork();\n    this.preconditions ="),
                new Edit(
                    "execution/CommandRunner.java",
                    "case LOST -> lost(work, proposal, attempt);",
                    """
                    case LOST -> {
                      proposal.transition().effects().forEach(effect -> {
                        if (effect instanceof skein.model.Effect.Work order) {
                          externalWork.start(order);
                        }
                      });
                      yield lost(work, proposal, attempt);
                    }
                    """)),
            Mutant.of(
                "a link leaves, and its bookmark does not know it",
                new Edit("burst/Links.java", "bookmarks.grant(id, grant);", "")),
            Mutant.of(
                "a bookmark is made though its execution waits for the same",
                new Edit(
                    "burst/Bookmarks.java",
                    "bookmark.execution() == execution && bookmark.hash().equals(hash)",
                    "false")),
            Mutant.of(
                "the result of a job is accepted whichever worker has its lease",
                new Edit(
                    "jobs/Jobs.java", "case ANOTHER -> Future.failedFuture(leaseLost(id));", ""),
                new Edit("jobs/Jobs.java", "case THIS ->", "case THIS, ANOTHER ->")),
            Mutant.of(
                "the result of a job is given to whatever attempt there is",
                new Edit(
                    "decisions/Decide.java",
                    "var bookmark = Required.bookmark(id, current);",
                    "var bookmark = current.bookmark(id) != null"
                        + " || !(resume.via() instanceof Command.Via.Work)"
                        + " ? Required.bookmark(id, current)"
                        + " : current.bookmarks().stream().filter(Bookmark::isJob).findFirst()"
                        + ".orElseGet(() -> Required.bookmark(id, current));")),
            Mutant.of(
                "the result of a job has another id each time it is sent",
                new Edit(
                    "jobs/Jobs.java",
                    "var commandId = commandId(id, lease, result);",
                    "var commandId = router.newCommandId();")),
            Mutant.of(
                "what was lost is decided again without its history",
                new Edit(
                    "execution/Attempt.java",
                    "return new Attempt(number + 1, false, true, alone);",
                    "return new Attempt(number + 1, false, false, alone);"),
                new Edit(
                    "execution/CommandRunner.java",
                    "return loop.bring(dependencies.instances().snapshot(id, work.commandId()))",
                    "return attempt.number() > 0 ? attempt(work, attempt.afterLoss()) :"
                        + " loop.bring(dependencies.instances().snapshot(id, work.commandId()))")),
            Mutant.of(
                "a first attempt over the network is taken for one that was never repeated",
                new Edit(
                    "execution/Work.java",
                    "case REMOTE -> !consumesWhatItNames();",
                    "case REMOTE -> false;")),
            Mutant.of(
                "a copy in memory does not know the command that made it",
                new Edit(
                    "execution/CommandHistory.java",
                    "return new CommandHistory(longer);",
                    "return this;")),
            Mutant.of(
                "any copy in memory is taken for one whose commands are known",
                new Edit(
                    "execution/CommandHistory.java",
                    """
                    if (this == UNKNOWN) {
                          return false;\
                    """,
                    """
                    if (this == UNKNOWN) {
                          return true;\
                    """)),
            Mutant.of(
                "a postponed bookmark stays beside the one in its place",
                new Edit("burst/DueChange.java", "state.bookmarks.burn(bookmark);", "")),
            Mutant.of(
                "a fork replays one burst too many",
                new Edit(
                    "execution/StateLoader.java",
                    "(int) fork.sequence() + 1))",
                    "(int) fork.sequence() + 1_000))"),
                new Edit(
                    "burst/Past.java",
                    "return entries.subList(0, count);",
                    """
                    int end = count;
                    while (end < entries.size()
                        && entries.get(end).at().equals(entries.get(count).at())) {
                      end++;
                    }
                    return entries.subList(0, end);
                    """)),
            Mutant.of(
                "what waited where a fork begins waits no more",
                new Edit(
                    "burst/Run.java",
                    "state.agenda.add(new Agenda.Work.Again(execution.number));",
                    "")),
            Mutant.of(
                "a fork keeps the values that its caller replaces",
                new Edit("burst/Run.java", "    variables.forEach(this::replace);\n", "")),
            Mutant.of(
                "a fork is said to be made where another instance has its id",
                new Edit(
                    "decisions/DecideFork.java",
                    "throw InstanceRefusals.instanceExists(current.id());",
                    "return new Decision.Answer(Replies.done(current, false, null));")),
            Mutant.of(
                "a child that has faulted and goes on counts again when it ends",
                new Edit("burst/AwaitedChildren.java", " && !hasFaulted(execution, child)", "")),
            Mutant.of(
                "children of an attempt that has failed count for the next one",
                new Edit(
                    "burst/AwaitedChildren.java",
                    "child >= number(execution.memory, FIRST)",
                    "child > 0")),
            Mutant.of(
                "what a node has started itself does not count until the next count",
                new Edit("execution/InstanceLimit.java", "change.add(by);", "")),
            Mutant.of(
                "an import is answered as done where there is another instance",
                new Edit(
                    "storage/InstanceImport.java",
                    "Future.failedFuture(InstanceRefusals.instanceExists(restored.id())))",
                    "Future.succeededFuture())")),
            Mutant.of(
                "the journal of an imported instance begins again",
                new Edit(
                    "storage/InstanceImport.java",
                    "        exported.counters(),",
                    "        new skein.model.Counters(exported.counters().executions(),"
                        + " exported.counters().bookmarks(), 0),")),
            Mutant.of(
                "an imported instance has no timers",
                new Edit("storage/InstanceImport.java", "        timers(next),", "List.of(),")),
            Mutant.of(
                "what a node has imported does not count until the next count",
                new Edit("execution/InstanceLimit.java", "      change(name, 1);\n", "")),
            Mutant.of(
                "a faulted instance goes on although there are as many as there may be",
                new Edit(
                    "execution/Preconditions.java",
                    "revived == null ? null : reserve(work, revived);",
                    "(skein.model.SkeinException) null;")),
            Mutant.of(
                "starts that other instances want are not bounded",
                new Edit(
                    "execution/Preconditions.java",
                    "return delay.isZero() ? goOn() : putOff(timer, delay);",
                    "return goOn();")),
            Mutant.of(
                "a tenant may have any number of instances",
                new Edit(
                    "execution/StartLimits.java", " || tenants.isFull(definition.tenant());", ";"),
                new Edit(
                    "execution/StartLimits.java",
                    "return tenants.isFull(definition.tenant())\n",
                    "return false\n")),
            Mutant.of(
                "a start that was put off over the limit is forgotten",
                new Edit(
                    "execution/Preconditions.java",
                    "return postponements.putOff(timer.id(), delay)",
                    "return dependencies.timers().remove(timer.id())")),
            Mutant.of(
                "what is put off while a statement is under way waits for another one to come",
                new Edit(
                    "execution/TimerPostponements.java",
                    "if (!next.delays.isEmpty()) {",
                    "if (false) {")),
            Mutant.of(
                "orders that may have arrived are sent again as if they had not",
                new Edit(
                    "cluster/OrderBatches.java", "        if (nobody) {", "        if (true) {")),
            Mutant.of(
                "an order that was sent with others is awaited for ever",
                new Edit(
                    "cluster/AwaitedAnswers.java",
                    "        late.end().failed(",
                    "        var _ = (")),
            Mutant.of(
                "answers of one message are given to the callers of others",
                new Edit(
                    "cluster/AnswerBatches.java",
                    "parts.add(answer.number(), answer.bytes());",
                    "parts.add(answers.get((answers.indexOf(answer) + 1) % answers.size()).number(),"
                        + " answer.bytes());")),
            Mutant.of(
                "of an order among others nobody knows that it is repeated",
                new Edit("cluster/OrderBytes.java", "(order.repeated() ? REPEATED : 0)", "0")),
            Mutant.of(
                "an order among others has lost its key",
                new Edit(
                    "cluster/OrderBytes.java",
                    "          key,\n          (flags",
                    "          null,\n          (flags")),
            Mutant.of(
                "a refusal of an instance that may go on is believed",
                new Edit(
                    "cluster/Router.java",
                    "order.key() == null && InstanceRefusals.mayGoOn(refused)",
                    "false")),
            Mutant.of(
                "a job has its old id when it goes on after a fault",
                new Edit(
                    "burst/Bookmarks.java",
                    "var next = bookmark.withId(reserveId());",
                    "var next = bookmark;")),
            Mutant.of(
                "a slot for starts is not given back when one has failed",
                new Edit(
                    "execution/Slots.java", "used--;", "used -= result.succeeded() ? 1 : 0;")));
    return all.filter(mutant -> mutant.name().contains(NAMED));
  }

  @ParameterizedTest
  @MethodSource("mutants")
  void each_is_found_within_a_thousand_seeds(Mutant mutant) throws Exception {
    var hunt = mutant.load().loadClass(Hunt.class.getName());
    var found =
        hunt.getMethod("hunt", long.class, boolean.class)
            .invoke(null, SEEDS, mutant.comparesRevisionAlone());
    System.out.printf("%-64s %s%n", mutant.name(), found == null ? "NOT FOUND" : found);
    assertThat(found).as(mutant.name()).isNotNull();
  }
}
