package skein.node.bench;

import io.netty.buffer.ByteBuf;
import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import skein.codecs.ResumeToken;
import skein.model.BookmarkId;
import skein.model.InstanceId;
import skein.model.StimulusHash;
import skein.model.TokenGrant;
import skein.node.bench.BenchOptions.By;
import skein.node.dev.CannotStartException;

/**
 * Instances that wait, to be taken one by one in random order.
 *
 * <p>Few are started through the API, so that they are where a cluster keeps those it has seen
 * last. Many are written into the tables, as of the last thirty days.
 */
final class Waiting {
  /** More than that are written. */
  static final int STARTED_MAX = 50_000;

  private static final Duration PAST = Duration.ofDays(30);
  private static final int FILLERS = 32;
  private static final Duration FILL_MAX = Duration.ofHours(1);
  private static final int CREATED = 201;

  private final Stage stage;
  private final int size;
  private final By by;
  private final Ids ids;
  private final Random random = new Random();
  private final Map<Integer, String> tokens = new HashMap<>();
  private int[] numbers = {};
  private int left;
  private int nextNumber;

  Waiting(Stage stage, By by) {
    this.stage = stage;
    this.size = stage.options().population().waiting();
    this.by = by;
    this.ids =
        isWritten()
            ? new Ids(Instant.now().minus(PAST), PAST.dividedBy(size), random.nextLong())
            : stage.ids();
  }

  private boolean isWritten() {
    return size > STARTED_MAX;
  }

  /** The next one's number; -1 when none is left. */
  int take() {
    return left == 0 ? -1 : numbers[--left];
  }

  String id(int number) {
    return ids.id(number);
  }

  /** The one-time token of an instance. */
  String token(int number) {
    return isWritten() ? writtenToken(number) : tokens.getOrDefault(number, "none");
  }

  /** Those that were started are as many again; those that were written only when all are used. */
  void fillUp() {
    if (isWritten() && left > 0) {
      return;
    }
    int missing = size - left;
    int from = nextNumber;
    nextNumber += missing;
    numbers = Arrays.copyOf(numbers, size);
    for (int i = 0; i < missing; i++) {
      numbers[left + i] = from + i;
    }
    left = size;
    if (isWritten()) {
      write(from, nextNumber);
    } else {
      start(from, nextNumber);
    }
    shuffle();
  }

  private void shuffle() {
    for (int i = left - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int swapped = numbers[i];
      numbers[i] = numbers[j];
      numbers[j] = swapped;
    }
  }

  private void write(int from, int to) {
    var id =
        stage
            .api()
            .start(
                new JsonObject()
                    .put("definitionId", Definitions.WAIT)
                    .put("correlationId", "template"));
    var seed = new Seed(stage.sql(), id);
    var copy = new Copy(seed.template());
    seed.write(
        from,
        to,
        number -> {
          var name = new InstanceId(id(number));
          return copy.of(name, ids.at(number), name.value(), null, grant(number));
        },
        done -> stage.sayNowAndThen("writing instances: " + done + " of " + (to - from)));
    stage.say("vacuuming");
    seed.vacuum();
    stage.checkpoint();
  }

  private @Nullable TokenGrant grant(int number) {
    return by == By.TOKEN ? new TokenGrant(StimulusHash.sha256(writtenToken(number)), null) : null;
  }

  private String writtenToken(int number) {
    var secret = ByteBuffer.allocate(ResumeToken.SECRET_BYTES);
    secret.putLong(ids.mixed(-2L * number - 1)).putLong(ids.mixed(-2L * number - 2));
    return ResumeToken.make(new BookmarkId(new InstanceId(id(number)), 1), secret.array());
  }

  private void start(int from, int to) {
    stage.say("starting " + (to - from) + " instances that wait");
    fill(new Starts(from, to));
    if (by == By.TOKEN) {
      stage.say("making " + (to - from) + " tokens");
      fill(new Mints(from, to));
    }
  }

  private void fill(Work work) {
    var outcome = stage.generator().run(work, FILLERS, FILL_MAX);
    if (outcome.failures() > 0) {
      throw new CannotStartException("Instances could not be started: " + outcome.errors());
    }
  }

  /** Starts each under the id of its number, which is its correlation id too. */
  private final class Starts implements Work {
    private final int end;
    private int next;

    Starts(int from, int to) {
      next = from;
      end = to;
    }

    @Override
    public boolean next(int caller, ByteBuf out) {
      if (next == end) {
        return false;
      }
      var id = id(next++);
      var body =
          "{\"definitionId\":\"%s\",\"instanceId\":\"%s\",\"correlationId\":\"%s\"}"
              .formatted(Definitions.WAIT, id, id);
      out.writeBytes(Requests.post("/elsa/api/workflow-instances", body));
      return true;
    }

    @Override
    public @Nullable String wrong(int caller, int status, ByteBuf body) {
      return status == CREATED ? null : "A start answered " + status;
    }
  }

  /** Makes a token for the only bookmark of each. */
  private final class Mints implements Work {
    private final Map<Integer, Integer> asked = new HashMap<>();
    private final int end;
    private int next;

    Mints(int from, int to) {
      next = from;
      end = to;
    }

    @Override
    public boolean next(int caller, ByteBuf out) {
      if (next == end) {
        return false;
      }
      asked.put(caller, next);
      var id = id(next++);
      var path = "/elsa/api/workflow-instances/" + id + "/bookmarks/" + id + "-1/tokens";
      out.writeBytes(Requests.post(path, "{}"));
      return true;
    }

    @Override
    public @Nullable String wrong(int caller, int status, ByteBuf body) {
      if (status != CREATED) {
        return "A token was answered with " + status;
      }
      var json = new JsonObject(body.toString(StandardCharsets.UTF_8));
      tokens.put(asked.getOrDefault(caller, -1), json.getString("token"));
      return null;
    }
  }
}
