package skein.links;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.cluster.Cluster;
import skein.messages.Addresses;

/**
 * Reports to the other nodes which nodes this one hears, over the connections that commands take,
 * and says who has stepped aside. Deploy once, on an event loop.
 */
public final class LinkVerticle extends VerticleBase {
  private static final Logger log = LoggerFactory.getLogger(LinkVerticle.class);

  private final Cluster cluster;
  private final Options options;
  private final Consumer<Set<String>> changed;
  private final Links links;
  private final LoopWatch loops = new LoopWatch();
  private Set<String> aside = Set.of();
  private long lastTick;

  /**
   * @param interval between two reports
   * @param missedMax reports of a node that another one may miss
   * @param wholeTime for how long links are whole before a node comes back
   * @param aloneTime for how long no executing node is at work before a node comes back
   */
  public record Options(Duration interval, int missedMax, Duration wholeTime, Duration aloneTime) {
    private int ticks(Duration time) {
      return (int) Math.max(1, time.dividedBy(interval));
    }
  }

  /** {@code changed}: called with the ids of the nodes that have stepped aside, on each change. */
  public LinkVerticle(Cluster cluster, Options options, Consumer<Set<String>> changed) {
    this.cluster = cluster;
    this.options = options;
    this.changed = changed;
    this.links =
        new Links(
            peer(cluster.self()),
            new Links.Options(
                options.missedMax(),
                options.ticks(options.wholeTime()),
                options.ticks(options.aloneTime())));
  }

  private static Peer peer(Cluster.Node node) {
    return new Peer(node.id(), node.executes());
  }

  @Override
  public Future<?> start() {
    lastTick = System.nanoTime();
    tickLater();
    return loops
        .start(vertx, options.interval())
        .compose(_ ->
            vertx
                .eventBus()
                .<JsonObject>consumer(
                    Addresses.links(cluster.nodeId()), message -> received(message.body()))
                .completion());
  }

  /** Not periodically: after a standstill all ticks that were missed would come at once. */
  private void tickLater() {
    vertx.setTimer(
        options.interval().toMillis(),
        _ -> {
          tickLater();
          tick();
        });
  }

  private void tick() {
    long now = System.nanoTime();
    long lateNanos = 2 * options.interval().toNanos();
    boolean late = now - lastTick > lateNanos || loops.isLate(now, lateNanos);
    lastTick = now;
    var report = links.tick(cluster.members().stream().map(LinkVerticle::peer).toList(), late);
    if (!late) {
      tell(report); // else it says nothing of whom it has not listened to
    }
    follow();
  }

  private void received(JsonObject message) {
    var report = read(message);
    if (report != null && links.received(report)) {
      tell(links.report());
      follow();
    }
  }

  private void tell(LinkReport report) {
    var message = written(report);
    for (var node : cluster.members()) {
      if (!node.id().equals(cluster.nodeId())) {
        vertx.eventBus().send(Addresses.links(node.id()), message);
      }
    }
  }

  private void follow() {
    var now = links.aside();
    if (!now.equals(aside)) {
      log.atWarn()
          .addKeyValue("aside", names(now))
          .addKeyValue("before", names(aside))
          .log("links.aside_changed");
      aside = now;
      changed.accept(now);
    }
  }

  private List<String> names(Set<String> ids) {
    var names =
        cluster.members().stream().collect(Collectors.toMap(Cluster.Node::id, Cluster.Node::name));
    return ids.stream().map(id -> names.getOrDefault(id, id)).sorted().toList();
  }

  private static JsonObject written(LinkReport report) {
    var unheard = new JsonObject();
    report.unheard().forEach((node, speakers) -> unheard.put(node, array(speakers)));
    return new JsonObject()
        .put("node", report.node())
        .put("number", report.number())
        .put("heard", new JsonObject(new TreeMap<>(report.heard())))
        .put("unheard", unheard)
        .put("by", report.decision().by())
        .put("decision", report.decision().number())
        .put("aside", array(report.decision().aside()));
  }

  private static JsonArray array(Set<String> texts) {
    return new JsonArray(texts.stream().sorted().toList());
  }

  /** Null when no node of this version has written it. */
  private static @Nullable LinkReport read(JsonObject message) {
    try {
      Map<String, Long> heard = new HashMap<>();
      var numbers = message.getJsonObject("heard");
      numbers.fieldNames().forEach(node -> heard.put(node, numbers.getLong(node)));
      Map<String, Set<String>> unheard = new HashMap<>();
      var missed = message.getJsonObject("unheard");
      missed.fieldNames().forEach(node -> unheard.put(node, texts(missed.getJsonArray(node))));
      return new LinkReport(
          message.getString("node"),
          message.getLong("number"),
          heard,
          unheard,
          new StepAsideDecision(
              message.getString("by"),
              message.getLong("decision"),
              texts(message.getJsonArray("aside"))));
    } catch (ClassCastException | NullPointerException e) {
      log.atWarn().addKeyValue("cause", e.toString()).log("links.report_not_read");
      return null;
    }
  }

  private static Set<String> texts(JsonArray array) {
    return array.stream().map(String::valueOf).collect(Collectors.toUnmodifiableSet());
  }
}
