package skein.codecs;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import skein.model.ActivityExecution;
import skein.model.ActivityStatus;
import skein.model.Bookmark;
import skein.model.BookmarkId;
import skein.model.Counters;
import skein.model.DefinitionRef;
import skein.model.Incident;
import skein.model.InstanceId;
import skein.model.Labels;
import skein.model.Parent;
import skein.model.StartRequest;
import skein.model.StimulusHash;
import skein.model.Timing;
import skein.model.TokenGrant;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

/** Values of every shape; the same seed makes the same values. */
public final class RandomValues {
  private static final String[] WORDS = {
    "",
    "a",
    "name",
    "übung",
    "\ud83d\ude00",
    "a\"b\\c\n\u0001",
    "Workflow1:flow:step",
    "x".repeat(300)
  };
  private final Random random;

  public RandomValues(Random random) {
    this.random = random;
  }

  @Nullable Object json(int depth) {
    return switch (random.nextInt(depth > 0 ? 10 : 8)) {
      case 0 -> null;
      case 1 -> random.nextBoolean();
      case 2 -> (long) random.nextInt(-100, 100);
      case 3 -> random.nextLong();
      case 4 -> random.nextBoolean() ? random.nextInt() / 8.0 : random.nextGaussian() * 1e100;
      case 5 -> new BigInteger(200, random).setBit(70);
      case 6 -> new BigDecimal(new BigInteger(120, random).setBit(119).setBit(0), 15);
      case 7 -> text();
      case 8 -> {
        var list = new ArrayList<@Nullable Object>();
        for (int i = random.nextInt(5); i > 0; i--) {
          list.add(json(depth - 1));
        }
        yield Collections.unmodifiableList(list);
      }
      default -> map(depth - 1);
    };
  }

  Map<String, @Nullable Object> map(int depth) {
    var map = new LinkedHashMap<String, @Nullable Object>();
    for (int i = random.nextInt(5); i > 0; i--) {
      map.put(text(), json(depth));
    }
    return Collections.unmodifiableMap(map);
  }

  public WorkflowInstance instance() {
    var id = instanceId();
    return new WorkflowInstance(
        id,
        new DefinitionRef(text(), text(), random.nextInt(100)),
        oneOf(WorkflowStatus.values()),
        random.nextLong(1, Long.MAX_VALUE),
        labels(),
        new Timing(instant(), instant(), maybe(this::instant)),
        new Counters(random.nextInt(1000), random.nextInt(1000), random.nextLong(Long.MAX_VALUE)),
        maybe(this::startRequest),
        map(3),
        map(3),
        map(3),
        list(this::execution),
        list(() -> bookmark(id)),
        list(() -> bookmark(id)),
        list(this::incident),
        maybe(this::text));
  }

  StartRequest startRequest() {
    return new StartRequest(map(2), labels(), maybe(this::text), json(2), maybe(this::text));
  }

  private Labels labels() {
    return new Labels(maybe(this::text), maybe(this::text), maybe(this::parent));
  }

  private Parent parent() {
    var notices = Parent.Notice.values();
    return new Parent(instanceId(), random.nextInt(100), notices[random.nextInt(notices.length)]);
  }

  private ActivityExecution execution() {
    return new ActivityExecution(
        random.nextInt(1, 100),
        random.nextInt(100),
        text(),
        oneOf(ActivityStatus.values()),
        map(2),
        map(2),
        maybe(this::text),
        instant());
  }

  private Bookmark bookmark(InstanceId id) {
    return new Bookmark(
        new BookmarkId(random.nextBoolean() ? id : instanceId(), random.nextInt(1, 1000)),
        text(),
        StimulusHash.sha256(text()),
        json(2),
        text(),
        text(),
        random.nextInt(100),
        instant(),
        maybe(this::instant),
        maybe(() -> new TokenGrant(StimulusHash.sha256(text()), maybe(this::instant))),
        maybe(this::text));
  }

  private Incident incident() {
    return new Incident(
        text(), text(), text(), random.nextInt(10), text(), maybe(this::text), text(), instant());
  }

  private InstanceId instanceId() {
    return new InstanceId("i" + random.nextInt(1_000_000));
  }

  private Instant instant() {
    long nanos =
        random.nextBoolean() ? random.nextInt(1_000_000) * 1000L : random.nextInt(1_000_000_000);
    return Instant.ofEpochSecond(random.nextLong(-4_000_000_000L, 8_000_000_000L), nanos);
  }

  private <T> T oneOf(T[] values) {
    return values[random.nextInt(values.length)];
  }

  private String text() {
    return random.nextInt(3) > 0
        ? WORDS[random.nextInt(WORDS.length)]
        : Long.toString(random.nextLong(1_000_000), 36);
  }

  private <T> @Nullable T maybe(Supplier<T> value) {
    return random.nextBoolean() ? value.get() : null;
  }

  private <T> List<T> list(Supplier<T> value) {
    var list = new ArrayList<T>();
    for (int i = random.nextInt(4); i > 0; i--) {
      list.add(value.get());
    }
    return List.copyOf(list);
  }
}
