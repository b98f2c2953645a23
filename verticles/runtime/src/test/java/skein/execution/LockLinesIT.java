package skein.execution;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import skein.cluster.Locks;
import skein.cluster.NoLocks;
import skein.messages.Reply;
import skein.messages.Request;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;
import skein.model.WorkflowStatus;

/** What the log and the figures say of locks is what happened. */
@Tag("alone")
class LockLinesIT {
  private static final int RIVALS = 50;
  private static final String APPROVAL =
      """
      {"definitionId": "Approval", "name": "Approval", "root": {"type": "Elsa.Sequence",
       "id": "root", "activities": [
         {"type": "Elsa.Event", "id": "wait", "eventName": "Approve"},
         {"type": "Elsa.WriteLine", "id": "done", "text": "done"}]}}
      """;
  private static final String FAULTY =
      """
      {"definitionId": "Faulty", "name": "Faulty", "root": {"type": "Elsa.Fault", "id": "broken",
       "code": "E1", "message": "out of paper"}}
      """;

  private static final String TALKATIVE =
      """
      {"definitionId": "Talkative", "name": "Talkative", "root": {"type": "Elsa.For", "id": "for",
       "start": {"typeName": "Int32", "expression": {"type": "Literal", "value": 1}},
       "end": {"typeName": "Int32", "expression": {"type": "Literal", "value": 30}},
       "body": {"type": "Elsa.WriteLine", "id": "line", "text": "again"}}}
      """;

  /** Less than a command waits for a lock. */
  private static final Duration GATHERED_MAX = Duration.ofSeconds(4);

  private static final Duration RELEASED_MAX = Duration.ofSeconds(10);

  private final Lines lines = new Lines();
  private final Logger logger = (Logger) LoggerFactory.getLogger("skein.execution.WorkflowResumer");

  /** Lanes write at the same time. */
  private static final class Lines extends AppenderBase<ILoggingEvent> {
    private final List<ILoggingEvent> all = new CopyOnWriteArrayList<>();

    @Override
    protected void append(ILoggingEvent event) {
      all.add(event);
    }

    List<String> with(String words) {
      return all.stream()
          .map(ILoggingEvent::getFormattedMessage)
          .filter(line -> line.contains(words))
          .toList();
    }
  }

  /** Of one node. */
  private static final class LocalLocks implements Locks {
    private final Map<InstanceId, Long> held = new ConcurrentHashMap<>();
    private final AtomicLong tokens = new AtomicLong();

    @Override
    public Future<Long> tryAcquire(InstanceId id) {
      long token = tokens.incrementAndGet();
      return Future.succeededFuture(held.putIfAbsent(id, token) == null ? token : HELD);
    }

    @Override
    public void release(InstanceId id, long token) {
      held.remove(id, token);
    }

    /** Even if it is held: a start may be about to release it. */
    void giveToAnother(InstanceId id) {
      held.put(id, tokens.incrementAndGet());
    }

    void takeBack(InstanceId id) {
      held.remove(id);
    }
  }

  @BeforeEach
  void listen() {
    lines.start();
    logger.setLevel(Level.INFO);
    logger.setAdditive(false);
    logger.addAppender(lines);
  }

  @AfterEach
  void stop() {
    logger.detachAppender(lines);
    logger.setAdditive(true);
    logger.setLevel(null);
  }

  private static List<String> resume(OneNode node, InstanceId id) {
    return answers(ask(node, id));
  }

  private static List<Future<Reply.Done>> ask(OneNode node, InstanceId id) {
    return IntStream.range(0, RIVALS)
        .mapToObj(_ -> node.ingress.resume(new Request.Resume(id, null, Map.of())))
        .toList();
  }

  private static List<String> answers(List<Future<Reply.Done>> asked) {
    return asked.stream()
        .map(answer ->
            answer.map(_ -> "resumed").otherwise(e -> ((SkeinException) e).code().name()).await())
        .toList();
  }

  @Test
  void losers_are_told_in_the_log_as_in_the_answer_and_their_wait_is_counted() {
    var locks = new LocalLocks();
    try (var node = new OneNode(locks)) {
      node.publish(APPROVAL);
      var id = node.start("Approval");
      long waited = LongStream.of(node.metrics.lockWait().micros().counts()).sum();

      locks.giveToAnother(id); // until all have come
      var asked = ask(node, id);
      long end = System.nanoTime() + GATHERED_MAX.toNanos();
      while (node.metrics.lockContendedInLane().sum() < RIVALS - 1 && System.nanoTime() < end) {
        LockSupport.parkNanos(1_000_000);
      }
      locks.takeBack(id);
      var answers = answers(asked);

      long lost = answers.stream().filter(ErrorCode.ALREADY_RESUMED.name()::equals).count();
      assertThat(lost).isEqualTo(RIVALS - 1);
      long contended = node.metrics.lockContendedInLane().sum();
      assertThat(contended).isBetween(RIVALS / 2L, RIVALS - 1L);
      assertThat(
              lines.with("Lock acquisition failed; resume already in progress for workflow " + id))
          .hasSizeBetween((int) contended - 1, (int) contended);
      assertThat(LongStream.of(node.metrics.lockWait().micros().counts()).sum() - waited)
          .isGreaterThanOrEqualTo(contended);
      var acquired = lines.with("Acquired distributed lock for workflow instance " + id);
      assertThat(acquired).isNotEmpty();
      assertThat(released(id, acquired.size())).hasSameSizeAs(acquired);
    }
  }

  /** A lane answers the last command before it releases the lock. */
  private List<String> released(InstanceId id, int count) {
    var words = "Released distributed lock for workflow instance " + id;
    long end = System.nanoTime() + RELEASED_MAX.toNanos();
    while (lines.with(words).size() < count && System.nanoTime() < end) {
      LockSupport.parkNanos(1_000_000);
    }
    return lines.with(words);
  }

  @Test
  void without_locks_nothing_is_said_to_be_acquired_or_released() {
    try (var node = new OneNode(new NoLocks())) {
      node.publish(APPROVAL);
      var id = node.start("Approval");

      assertThat(resume(node, id)).containsOnlyOnce("resumed");

      assertThat(lines.with("distributed lock")).isEmpty();
      assertThat(lines.with("ResumeWorkflowTask executed for bookmark " + id)).hasSize(1);
      assertThat(node.metrics.lockHold().micros().sum()).isZero();
      assertThat(node.metrics.lockContendedInLane().sum()).isPositive();
    }
  }

  @Test
  void a_held_lock_that_does_not_come_free_refuses_with_one_line_for_each_who_waited() {
    var locks = new LocalLocks();
    try (var node = new OneNode(locks)) {
      node.publish(APPROVAL);
      var id = node.start("Approval");
      locks.giveToAnother(id);

      var answers =
          IntStream.range(0, 3)
              .mapToObj(_ -> node.ingress.resume(new Request.Resume(id, null, Map.of())))
              .toList();

      assertThat(answers)
          .allSatisfy(answer -> assertThat(answer.otherwiseEmpty().await()).isNull());
      assertThat(answers)
          .extracting(answer -> ((SkeinException) answer.cause()).code())
          .containsOnly(ErrorCode.IN_PROGRESS);
      assertThat(
              lines.with("Lock acquisition failed; resume already in progress for workflow " + id))
          .hasSize(3);
      assertThat(lines.with("Failed to acquire lock after timeout"))
          .containsExactly(
              "Failed to acquire lock after timeout of 5000 ms for workflow instance " + id);
      assertThat(lines.with("Acquired distributed lock for workflow instance " + id))
          .as("of the start alone")
          .hasSize(1);
      assertThat(node.metrics.lockTimeouts().sum()).isOne();
      assertThat(node.metrics.lockContendedInCluster().sum()).isGreaterThan(1);
    }
  }

  @Test
  void debug_shows_who_waits_and_how_each_command_ended() {
    logger.setLevel(Level.DEBUG);
    try (var node = new OneNode(new LocalLocks())) {
      node.publish(APPROVAL);
      var id = node.start("Approval");

      resume(node, id);

      assertThat(lines.with("Resume for workflow instance " + id + " waits for the lock behind"))
          .isNotEmpty();
      assertThat(lines.with("Resume for workflow instance " + id + " ended after")).hasSize(1);
      assertThat(lines.with("Resume for workflow instance " + id + " was refused"))
          .hasSize(RIVALS - 1);
    }
  }

  @Test
  void a_burst_writes_so_many_lines_and_counts_the_rest() {
    var written = new Lines();
    written.start();
    var writer = (Logger) LoggerFactory.getLogger("skein.activities.WriteLine");
    writer.setLevel(Level.INFO);
    writer.addAppender(written);
    try (var node = new OneNode(new NoLocks())) {
      node.publish(TALKATIVE);

      var id = node.start("Talkative");

      node.awaitStatus(id, WorkflowStatus.Completed);
      assertThat(written.with("again")).hasSize(OneNode.LOG_LINES_MAX);
      var last = written.all.getLast();
      assertThat(last.getMessage()).isEqualTo("workflow.linesNotLogged");
      assertThat(last.getKeyValuePairs())
          .extracting(pair -> pair.key + "=" + pair.value)
          .containsExactly("instanceId=" + id, "lines=10");
    } finally {
      writer.detachAppender(written);
      writer.setLevel(null);
    }
  }

  @Test
  void a_fault_is_one_warning_with_the_instance_the_activity_and_the_reason() {
    try (var node = new OneNode(new NoLocks())) {
      node.publish(FAULTY);

      var id = node.start("Faulty");

      node.awaitStatus(id, WorkflowStatus.Faulted);
      var warnings = lines.all.stream().filter(line -> line.getLevel().equals(Level.WARN)).toList();
      assertThat(warnings).hasSize(1);
      assertThat(warnings.getFirst().getMessage()).isEqualTo("workflow.faulted");
      assertThat(warnings.getFirst().getKeyValuePairs())
          .extracting(pair -> pair.key + "=" + pair.value)
          .contains("workflowInstanceId=" + id, "definitionId=Faulty", "activityId=broken")
          .anyMatch(pair -> pair.startsWith("reason=") && pair.contains("out of paper"));
      assertThat(node.metrics.definitions().finished().get("Faulty"))
          .containsEntry(WorkflowStatus.Faulted, 1L);
    }
  }
}
