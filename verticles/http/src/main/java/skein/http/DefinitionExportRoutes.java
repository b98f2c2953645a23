package skein.http;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import skein.definitions.Definitions;
import skein.model.DefinitionRef;
import skein.model.ErrorCode;
import skein.model.WorkflowDefinition;
import skein.openapi.Operation;
import skein.openapi.Parameter;
import skein.openapi.Shape;
import skein.openapi.Tag;
import skein.storage.DefinitionStore;
import skein.storage.DefinitionStore.Listed;
import skein.storage.TenantScope;

/** Takes definitions out as files: one as JSON, others as an archive. */
final class DefinitionExportRoutes {
  private static final String WITH_CONSUMERS = "includeConsumingWorkflows";

  private final Definitions definitions;
  private final DefinitionStore store;

  private final DefinitionAnswers answers;

  DefinitionExportRoutes(
      Definitions definitions, DefinitionStore store, DefinitionAnswers answers) {
    this.answers = answers;
    this.definitions = definitions;
    this.store = store;
  }

  void addTo(Routes routes) {
    var one = "/workflow-definitions/:definitionId/export";
    var many = "/bulk-actions/export/workflow-definitions";
    routes
        .get(
            one,
            Operation.of(Tag.DEFINITIONS, "exportDefinition", "Takes a definition out as a file")
                .takes(
                    Parameter.query(
                        WITH_CONSUMERS, Shape.FLAG, "With those that use it, as an archive"),
                    DefinitionShapes.VERSION_OPTIONS,
                    DefinitionAnswers.FORMAT)
                .answers(DefinitionShapes.MODEL)
                .answersWith(ZipFlow.CONTENT_TYPE, "An archive")
                .fails(ErrorCode.DEFINITION_NOT_FOUND),
            call -> one(call, call.queryFields()))
        .post(
            one,
            Operation.of(
                    Tag.DEFINITIONS, "exportDefinitionByPost", "Takes a definition out as a file")
                .reads(
                    Shape.object()
                        .may("versionOptions", Shape.TEXT)
                        .may("format", Shape.oneOf(DefinitionAnswers.Format.values()))
                        .may(WITH_CONSUMERS, Shape.FLAG))
                .answers(DefinitionShapes.MODEL)
                .answersWith(ZipFlow.CONTENT_TYPE, "An archive")
                .fails(ErrorCode.DEFINITION_NOT_FOUND),
            call -> one(call, call.body().isEmpty() ? call.queryFields() : call.fields()))
        .get(
            many,
            Operation.of(Tag.DEFINITIONS, "exportDefinitions", "Takes versions out as an archive")
                .takes(
                    Parameter.several("ids", "Of versions"),
                    Parameter.query(WITH_CONSUMERS, Shape.FLAG, "With those that use them"),
                    DefinitionAnswers.FORMAT)
                .answersWith(ZipFlow.CONTENT_TYPE, "An archive")
                .answersNothing(204, "None of them is there"),
            call -> many(call, call.queryFields()))
        .post(
            many,
            Operation.of(
                    Tag.DEFINITIONS, "exportDefinitionsByPost", "Takes versions out as an archive")
                .needs(
                    Shape.object()
                        .has("ids", ListShapes.IDS)
                        .may(WITH_CONSUMERS, Shape.FLAG)
                        .may("format", Shape.oneOf(DefinitionAnswers.Format.values())))
                .answersWith(ZipFlow.CONTENT_TYPE, "An archive")
                .answersNothing(204, "None of them is there"),
            call -> many(call, call.fields()));
  }

  /** JSON; with those that use it, directly or through others, an archive. */
  private Future<Answer> one(Call call, Fields fields) {
    var options = VersionOptions.parse(fields.text("versionOptions"), Listed.Latest);
    boolean withConsumers = fields.isTrue(WITH_CONSUMERS);
    var format = DefinitionAnswers.format(fields);
    return VersionOptions.find(store, call.path("definitionId"), options)
        .compose(found ->
            withConsumers
                ? withConsumers(List.of(found.ref())).map(ids -> archive(call, ids, format))
                : answers
                    .file(found, format)
                    .map((Map<String, @Nullable Object> file) -> document(found, file)));
  }

  private static Answer document(
      WorkflowDefinition definition, Map<String, @Nullable Object> file) {
    return Answer.ok(file)
        .with(
            "Content-Disposition", Downloads.attachment(definition.ref().definitionId() + ".json"));
  }

  /** {@code ids} are those of versions. An archive also of one; 204 when there is none of them. */
  private Future<Answer> many(Call call, Fields fields) {
    var ids = fields.texts("ids").stream().distinct().toList();
    if (ids.isEmpty()) {
      throw BadRequest.of("ids is empty: name the versions of definitions to export");
    }
    var exported =
        fields.isTrue(WITH_CONSUMERS)
            ? store.refs(ids, call.scope()).compose(this::withConsumers)
            : existing(ids, call.scope());
    var format = DefinitionAnswers.format(fields);
    return exported.map(
        found -> found.isEmpty() ? Answer.empty(204) : archive(call, found, format));
  }

  private Future<List<String>> existing(List<String> ids, TenantScope scope) {
    return store
        .refs(ids, scope)
        .map(found -> found.stream().map(DefinitionRef::versionId).toList());
  }

  /** The ids of these versions, then of the latest versions of the definitions that use them. */
  private Future<List<String>> withConsumers(List<DefinitionRef> exported) {
    var own = new LinkedHashMap<String, List<String>>();
    for (var ref : exported) {
      own.computeIfAbsent(ref.definitionId(), _ -> new ArrayList<>()).add(ref.versionId());
    }
    return each(own.keySet(), definitions::consumers)
        .compose(consumers -> {
          var others = new TreeSet<String>();
          consumers.forEach(others::addAll);
          others.removeAll(own.keySet());
          return store.latest(List.copyOf(others));
        })
        .map(latest -> versionIds(own, latest));
  }

  private static List<String> versionIds(
      Map<String, List<String>> own, List<DefinitionRef> consumers) {
    var all = new ArrayList<String>();
    own.values().forEach(all::addAll);
    consumers.forEach(consumer -> all.add(consumer.versionId()));
    return all;
  }

  /** One after the other; missing ones are left out. */
  private static <T, R> Future<List<R>> each(
      Collection<T> items, Function<T, Future<? extends @Nullable R>> read) {
    Future<List<R>> all = Future.succeededFuture(new ArrayList<>());
    for (var item : List.copyOf(items)) {
      all =
          all.compose(found ->
              read.apply(item)
                  .map(one -> {
                    if (one != null) {
                      found.add(one);
                    }
                    return found;
                  }));
    }
    return all;
  }

  private Answer archive(Call call, List<String> versionIds, DefinitionAnswers.Format format) {
    return Answer.flowing(
            ZipFlow.CONTENT_TYPE, new ZipFlow<>(call, versionIds, id -> entry(id, format)))
        .with("Content-Disposition", Downloads.attachment("workflow-definitions.zip"));
  }

  /** The version's id is in the name: two versions of one definition are two files. */
  private Future<ZipFlow.@Nullable Entry> entry(String versionId, DefinitionAnswers.Format format) {
    return store
        .findVersion(versionId)
        .compose(found ->
            found == null
                ? Future.succeededFuture()
                : answers
                    .file(found, format)
                    .map(file ->
                        new ZipFlow.Entry(
                            Downloads.safe(found.ref().definitionId() + "-" + versionId) + ".json",
                            file)));
  }
}
