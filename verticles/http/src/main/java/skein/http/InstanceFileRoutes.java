package skein.http;

import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonText;
import skein.definitions.Graphs;
import skein.exchange.StateReader;
import skein.graph.Graph;
import skein.http.ExportedInstance.Parts;
import skein.model.DefinitionRef;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.InstanceLimits;
import skein.model.InstanceRefusals;
import skein.model.JournalEntry;
import skein.model.SkeinException;
import skein.model.WorkflowInstance;
import skein.openapi.Body;
import skein.openapi.Operation;
import skein.openapi.Parameter;
import skein.openapi.Tag;
import skein.storage.InstanceImport;
import skein.storage.InstanceStore;
import skein.storage.TenantScope;

/** Takes instances out as files, and puts them back. */
final class InstanceFileRoutes {
  private final InstanceStore instances;
  private final InstanceImport imports;
  private final Graphs graphs;
  private final InstantSource clock;
  private final UploadLimits uploads;
  private final InstanceLimits limits;

  InstanceFileRoutes(
      InstanceStore instances,
      InstanceImport imports,
      Graphs graphs,
      InstantSource clock,
      UploadLimits uploads,
      InstanceLimits limits) {
    this.instances = instances;
    this.imports = imports;
    this.graphs = graphs;
    this.clock = clock;
    this.uploads = uploads;
    this.limits = limits;
  }

  void addTo(Routes routes) {
    routes
        .get(
            "/workflow-instances/:id/export",
            Operation.of(Tag.INSTANCES, "exportInstance", "Takes an instance out as a file")
                .takes(InstanceFileShapes.PART_PARAMETERS)
                .answers(InstanceFileShapes.EXPORTED)
                .fails(ErrorCode.INSTANCE_NOT_FOUND, ErrorCode.TOO_LARGE),
            call -> one(call, call.instanceId(), call.queryFields()))
        .post(
            "/workflow-instances/:id/export",
            Operation.of(Tag.INSTANCES, "exportInstanceByPost", "Takes an instance out as a file")
                .reads(InstanceFileShapes.PARTS)
                .answers(InstanceFileShapes.EXPORTED)
                .fails(ErrorCode.INSTANCE_NOT_FOUND, ErrorCode.TOO_LARGE),
            call -> one(call, call.instanceId(), call.fields()))
        .get(
            "/bulk-actions/export/workflow-instances",
            Operation.of(
                    Tag.INSTANCES,
                    "exportInstances",
                    "Takes instances out, one as JSON, several as an archive")
                .takes(Parameter.several("ids", "Of instances"))
                .takes(InstanceFileShapes.PART_PARAMETERS)
                .answers(InstanceFileShapes.EXPORTED)
                .answersWith(ZipFlow.CONTENT_TYPE, "An archive")
                .answersNothing(204, "None of them is there")
                .fails(ErrorCode.INSTANCE_NOT_FOUND, ErrorCode.TOO_LARGE),
            call -> many(call, call.queryFields()))
        .post(
            "/bulk-actions/export/workflow-instances",
            Operation.of(
                    Tag.INSTANCES,
                    "exportInstancesByPost",
                    "Takes instances out, one as JSON, several as an archive")
                .needs(InstanceFileShapes.PARTS.has("ids", ListShapes.IDS))
                .answers(InstanceFileShapes.EXPORTED)
                .answersWith(ZipFlow.CONTENT_TYPE, "An archive")
                .answersNothing(204, "None of them is there")
                .fails(ErrorCode.INSTANCE_NOT_FOUND, ErrorCode.TOO_LARGE),
            call -> many(call, call.fields()))
        .post(
            "/bulk-actions/import/workflow-instances",
            Operation.of(
                    Tag.INSTANCES,
                    "importInstances",
                    "Restores instances from files, or from the export in the body")
                .with(
                    new Body("multipart/form-data", ListShapes.FILES, true)
                        .or("application/json", InstanceFileShapes.EXPORTED))
                .answers(InstanceFileShapes.IMPORTED)
                .fails(
                    ErrorCode.DEFINITION_NOT_FOUND,
                    ErrorCode.INSTANCE_EXISTS,
                    ErrorCode.INSTANCE_NOT_FOUND,
                    ErrorCode.STATE_TOO_LARGE,
                    ErrorCode.TOO_MANY_INSTANCES),
            this::importFiles);
  }

  private Future<Answer> one(Call call, InstanceId id, Fields fields) {
    var parts = Parts.of(fields);
    return instances
        .get(id)
        .map(instance -> {
          if (!call.scope().sees(instance.definition().tenant())) {
            throw InstanceRefusals.instanceNotFound(id);
          }
          return instance;
        })
        .compose(instance -> file(instance, parts))
        .map(file ->
            Answer.ok(file.json()).with("Content-Disposition", Downloads.attachment(file.name())));
  }

  private Future<ZipFlow.Entry> file(WorkflowInstance instance, Parts parts) {
    return (parts.needJournal()
            ? instances.journal(instance.id())
            : Future.succeededFuture(List.<JournalEntry>of()))
        .compose(journal ->
            graphs
                .version(instance.definition().versionId())
                .map(graph -> {
                  var exported = ExportedInstance.of(instance, journal);
                  return new ZipFlow.Entry(exported.fileName(), exported.toJson(parts, graph));
                }));
  }

  /** One as JSON, several as an archive of those that exist; 204 when there is none. */
  private Future<Answer> many(Call call, Fields fields) {
    var ids = fields.texts("ids").stream().map(InstanceId::new).distinct().toList();
    if (ids.isEmpty()) {
      throw BadRequest.of("ids is empty: name the instances to export");
    }
    if (ids.size() == 1) {
      return one(call, ids.getFirst(), fields);
    }
    var parts = Parts.of(fields);
    return existing(ids, call.scope())
        .compose(found ->
            parts.needJournal() // refused before the archive begins
                ? instances.checkJournals(found).map(found)
                : Future.succeededFuture(found))
        .map(found ->
            found.isEmpty()
                ? Answer.empty(204)
                : Answer.flowing(
                        ZipFlow.CONTENT_TYPE, new ZipFlow<>(call, found, id -> entry(id, parts)))
                    .with("Content-Disposition", Downloads.attachment("workflow-instances.zip")));
  }

  private Future<List<InstanceId>> existing(List<InstanceId> ids, TenantScope scope) {
    var texts = ids.stream().map(InstanceId::value).toList();
    return instances
        .list(InstanceQueries.byIds(texts), scope)
        .map(page -> page.items().stream().map(InstanceStore.Summary::id).toList());
  }

  private Future<ZipFlow.@Nullable Entry> entry(InstanceId id, Parts parts) {
    return instances
        .find(id)
        .compose(instance ->
            instance == null
                ? Future.succeededFuture((ZipFlow.@Nullable Entry) null)
                : file(instance, parts).map(entry -> (ZipFlow.@Nullable Entry) entry));
  }

  /**
   * One export as JSON, or files of them. When a file is no JSON nothing is imported. Otherwise
   * each is restored or refused by itself; as long as one was restored the answer is 200 and says
   * of the others why not.
   */
  private Future<Answer> importFiles(Call call) {
    var files = call.files();
    return call.onWorker(() ->
            files.isEmpty()
                ? List.of(document("body", call.bytes().length, call::body))
                : documents(files, call))
        .compose(all -> {
          Future<List<Batches.Done<Document>>> done = Future.succeededFuture(new ArrayList<>());
          for (var level : levels(all)) {
            done =
                done.compose(before ->
                    Batches.weighed(
                            call::nextStep,
                            level,
                            Document::bytes,
                            call.limits().bytesMax(),
                            document -> restore(document, call))
                        .map(more -> {
                          before.addAll(more);
                          return before;
                        }));
          }
          return done;
        })
        .map(InstanceFileRoutes::imported);
  }

  /**
   * One file, and what of it says when it is imported. The rest is read again then: read, all files
   * of an archive may be more than there is memory.
   *
   * @param bytes of its JSON
   * @param refused why it cannot be imported; null when nothing is known against it
   */
  private record Document(
      String name,
      int bytes,
      Supplier<Map<String, @Nullable Object>> json,
      @Nullable InstanceId id,
      @Nullable InstanceId waitingParent,
      @Nullable SkeinException refused) {}

  /** The content of a file. */
  private sealed interface Content {
    /** With its exact state. */
    record Exact(ExportedInstance exported) implements Content {}

    /** Without. */
    record Foreign(StateReader reader) implements Content {}

    static Content of(Map<String, @Nullable Object> json, InstanceLimits limits) {
      var exported = ExportedInstance.read(json);
      return exported == null ? new Foreign(StateReader.of(json, limits)) : new Exact(exported);
    }
  }

  /** An instance that waits for the end of another one is imported before that one. */
  private static List<List<Document>> levels(List<Document> all) {
    var levels = new ArrayList<List<Document>>();
    var rest = all;
    while (!rest.isEmpty()) {
      var open = rest.stream().map(Document::id).collect(Collectors.toSet());
      var parts =
          rest.stream()
              .collect(
                  Collectors.partitioningBy(document ->
                      document.waitingParent() != null && open.contains(document.waitingParent())));
      var ready = parts.getOrDefault(false, List.of());
      if (ready.isEmpty()) { // They wait for each other: each is refused by itself.
        levels.add(rest);
        return levels;
      }
      levels.add(ready);
      rest = parts.getOrDefault(true, List.of());
    }
    return levels;
  }

  /** Whatever happens with one file concerns that file alone. */
  private Future<Void> restore(Document document, Call call) {
    return Future.succeededFuture()
        .compose(_ -> restored(document, call))
        .recover(failure -> Future.failedFuture(Problems.exception(failure)));
  }

  private Future<Void> restored(Document document, Call call) {
    return document.refused() != null
        ? Future.failedFuture(document.refused())
        : call.onWorker(() -> Content.of(document.json().get(), limits))
            .compose(content ->
                switch (content) {
                  case Content.Exact(var exported) ->
                      imports.restore(exported.instance(), exported.journal(), call.scope());
                  case Content.Foreign(var reader) -> restored(reader, call);
                });
  }

  /** Built from what Elsa says of it, by the definition as it is here. */
  private Future<Void> restored(StateReader foreign, Call call) {
    var parentId = foreign.waitingParent();
    var scope = call.scope();
    return graph(foreign.definition(), scope)
        .compose(graph ->
            (parentId == null
                    ? Future.succeededFuture((@Nullable WorkflowInstance) null)
                    : instances.find(parentId).map(found -> seen(found, scope)))
                .compose(
                    parent -> call.onWorker(() -> foreign.read(graph, parent, clock.instant()))))
        .compose(read -> imports.restore(read.instance(), read.journal(), call.scope()));
  }

  /** What another tenant has is not there. */
  private static @Nullable WorkflowInstance seen(
      @Nullable WorkflowInstance found, TenantScope scope) {
    return found != null && scope.sees(found.definition().tenant()) ? found : null;
  }

  /** By the id of its version, else by its number: definitions that were imported have new ids. */
  private Future<Graph> graph(DefinitionRef ref, TenantScope scope) {
    return graphs
        .version(ref.versionId())
        .compose(found ->
            found != null && found.ref().definitionId().equals(ref.definitionId())
                ? Future.succeededFuture((@Nullable Graph) found)
                : graphs.version(ref.definitionId(), ref.version()))
        .compose(found ->
            found == null || !scope.sees(found.ref().tenant())
                ? Future.failedFuture(
                    SkeinException.definitionNotFound(
                        ref.definitionId()
                            + " version "
                            + ref.version()
                            + ": import it before its instances"))
                : Future.succeededFuture(found));
  }

  private List<Document> documents(List<Upload> files, Call call) throws Exception {
    var exports = uploads.ofExports(call.limits());
    var documents = new ArrayList<Document>();
    for (var file : call.unpacked(files, uploads, exports.bytesMax())) {
      documents.add(
          document(
              file.name(),
              file.content().length(),
              () -> JsonText.parseObject(file.content().getBytes(), exports)));
    }
    return documents;
  }

  /** Throws when it is no JSON. */
  private Document document(String name, int bytes, Supplier<Map<String, @Nullable Object>> json) {
    var members = json.get();
    try {
      return switch (Content.of(members, limits)) {
        case Content.Exact(var exported) ->
            new Document(name, bytes, json, exported.instance().id(), null, null);
        case Content.Foreign(var reader) -> {
          reader.definition(); // read before anything is imported
          yield new Document(name, bytes, json, reader.id(), reader.waitingParent(), null);
        }
      };
    } catch (RuntimeException e) {
      return new Document(name, bytes, json, null, null, Problems.exception(e));
    }
  }

  private static Answer imported(List<Batches.Done<Document>> results) {
    var failed = new ArrayList<Map<String, @Nullable Object>>();
    SkeinException refusal = null;
    for (var result : results) {
      if (result.refusal() != null) {
        refusal = result.refusal();
        var json = new LinkedHashMap<String, @Nullable Object>();
        json.put("file", result.item().name());
        json.put("code", refusal.code().name());
        json.put("detail", refusal.detail());
        failed.add(json);
      }
    }
    if (refusal != null && failed.size() == results.size()) {
      throw refusal.code() == ErrorCode.INTERNAL || failed.size() == 1
          ? refusal
          : new SkeinException(
              refusal.code(),
              "None of " + failed.size() + " instances was imported",
              failed.stream().map(f -> f.get("file") + ": " + f.get("detail")).toList(),
              refusal);
    }
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("imported", Batches.count(results));
    json.put("count", Batches.count(results));
    json.put("failed", failed);
    return Answer.ok(json);
  }
}
