package skein.activities;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The activities that definitions may use, by type name and version. Immutable. */
public final class Activities {
  private final Map<String, TreeMap<Integer, Activity>> byType;
  private final Predicate<String> elsewhere;

  private Activities(Collection<? extends Activity> all, Predicate<String> elsewhere) {
    this.elsewhere = elsewhere;
    byType = new HashMap<>();
    for (var activity : all) {
      var descriptor = activity.descriptor();
      byType
          .computeIfAbsent(descriptor.typeName(), _ -> new TreeMap<>())
          .put(descriptor.version(), activity);
    }
  }

  private static boolean nowhere(String type) {
    return false;
  }

  public static Activities of(Collection<? extends Activity> all) {
    return new Activities(all, Activities::nowhere);
  }

  public static Activities builtIn() {
    return builtIn(FlowchartMode.COUNTER);
  }

  /** {@code mode}: of flowcharts in workflows that do not choose one themselves. */
  public static Activities builtIn(FlowchartMode mode) {
    return new Activities(
        List.of(
            new Break(),
            new BulkDispatchWorkflows(),
            new Complete(),
            new Composite("Elsa.Composite"),
            new Composite("Elsa.Workflow"),
            new Correlate(),
            new Cron(),
            new Delay(),
            new DispatchWorkflow(),
            new DownloadHttpFile(),
            new End(),
            new ExecuteWorkflow(),
            new ExternalJob(),
            new Event(),
            new Fault(),
            new Finish(),
            new FlowDecision(),
            new FlowFork(),
            new FlowJoin(),
            new FlowNode(),
            new FlowSwitch(),
            new FlowSendHttpRequest(),
            new Flowchart(mode),
            new For(),
            new ForEach(),
            new Fork(),
            new GenerateBookmarkTriggerUrl(),
            new HttpEndpoint(),
            new If(),
            new NotFoundActivity(),
            new Parallel(),
            new ParallelForEach(),
            new PublishEvent(),
            new Require(),
            new RunJavaScript(),
            new RunTask(),
            new SendEmail(),
            new SendHttpRequest(),
            new Sequence("Elsa.Container"),
            new Sequence("Elsa.Sequence"),
            new SetName(),
            new SetOutput(),
            new SetVariable(),
            SqlActivity.command(),
            SqlActivity.query(),
            SqlActivity.singleValue(),
            new Start(),
            new StartAt(),
            new Switch(),
            new Timer(),
            new UserTask(),
            new While(),
            new WriteFileHttpResponse(),
            new WriteHttpResponse(),
            new WriteLine()),
        Activities::nowhere);
  }

  /** With more activities; refuses a type name that is taken. */
  public Activities with(Collection<? extends Activity> more) {
    var all = new ArrayList<Activity>();
    byType.values().forEach(versions -> all.addAll(versions.values()));
    for (var activity : more) {
      var type = activity.descriptor().typeName();
      if (all.stream().anyMatch(known -> known.descriptor().typeName().equals(type))) {
        throw new IllegalArgumentException("There are two activities of the type " + type);
      }
      all.add(activity);
    }
    return new Activities(all, elsewhere);
  }

  /** These as well, instead of those of the same types and versions. */
  public Activities replacing(Collection<? extends Activity> more) {
    var all = new ArrayList<Activity>();
    byType.values().forEach(versions -> all.addAll(versions.values()));
    all.addAll(more);
    return new Activities(all, elsewhere);
  }

  /**
   * These, on a node among others.
   *
   * @param elsewhere whether another node knows a type at the moment; called on any thread
   */
  public Activities among(Predicate<String> elsewhere) {
    var all = new ArrayList<Activity>();
    byType.values().forEach(versions -> all.addAll(versions.values()));
    return new Activities(all, elsewhere);
  }

  /** Whether another node knows this type at the moment, which need not be known here. */
  public boolean isElsewhere(String type) {
    return elsewhere.test(type);
  }

  /** Stands for an activity whose type is unknown here. */
  public Activity unknown(String type, int version) {
    return new UnknownActivity(type, version, () -> elsewhere.test(type));
  }

  /** As they are in a workflow: its custom properties may choose how flowcharts run. */
  public Activities forWorkflow(Map<String, @Nullable Object> definition) {
    var mode = FlowchartMode.of(definition);
    if (mode == null || !byType.containsKey(Flowchart.TYPE)) {
      return this;
    }
    return replacing(List.of(new Flowchart(mode)));
  }

  /**
   * That version, else the latest; null when the type is not known. {@code Elsa.ForEach<String>} is
   * {@code Elsa.ForEach}: what it is generic in is a matter of its inputs.
   */
  public @Nullable Activity find(String type, int version) {
    var generic = type.indexOf('<');
    var versions = byType.get(generic < 0 ? type : type.substring(0, generic));
    if (versions == null) {
      return null;
    }
    var exact = versions.get(version);
    return exact == null ? versions.lastEntry().getValue() : exact;
  }

  /** The names of all types. */
  public Set<String> types() {
    return Collections.unmodifiableSet(byType.keySet());
  }

  /** The latest version of each type, in order of type names. */
  public List<ActivityDescriptor> descriptors() {
    return new TreeMap<>(byType)
        .values().stream().map(versions -> versions.lastEntry().getValue().descriptor()).toList();
  }
}
