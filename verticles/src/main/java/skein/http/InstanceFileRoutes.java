package skein.http;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonText;
import skein.http.ExportedInstance.Parts;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;
import skein.storage.InstanceImport;
import skein.storage.InstanceStore;

/** Takes instances out as files, and puts them back. */
final class InstanceFileRoutes {
  private final InstanceStore instances;
  private final InstanceImport imports;
  private final HttpOptions options;

  InstanceFileRoutes(InstanceStore instances, InstanceImport imports, HttpOptions options) {
    this.instances = instances;
    this.imports = imports;
    this.options = options;
  }

  void addTo(Routes routes) {
    routes
        .get("/workflow-instances/:id/export", call -> one(call.instanceId(), call.queryFields()))
        .post("/workflow-instances/:id/export", call -> one(call.instanceId(), call.fields()))
        .get("/bulk-actions/export/workflow-instances", call -> many(call, call.queryFields()))
        .post("/bulk-actions/export/workflow-instances", call -> many(call, call.fields()))
        .post("/bulk-actions/import/workflow-instances", this::importFiles);
  }

  private Future<Answer> one(InstanceId id, Fields fields) {
    var parts = Parts.of(fields);
    return instances
        .get(id)
        .compose(instance ->
            instances
                .journal(id)
                .map(journal -> ExportedInstance.of(instance, journal))
                .map(exported ->
                    Answer.ok(exported.toJson(parts))
                        .with("Content-Disposition", Downloads.attachment(exported.fileName()))));
  }

  /** One as JSON, several as an archive of those that exist; 204 when there is none. */
  private Future<Answer> many(Call call, Fields fields) {
    var ids = fields.texts("ids").stream().map(InstanceId::new).distinct().toList();
    if (ids.isEmpty()) {
      throw Call.invalid("ids is empty: name the instances to export");
    }
    if (ids.size() == 1) {
      return one(ids.getFirst(), fields);
    }
    var parts = Parts.of(fields);
    return existing(ids)
        .map(found ->
            found.isEmpty()
                ? Answer.empty(204)
                : Answer.flowing(
                        ZipFlow.CONTENT_TYPE, new ZipFlow<>(call, found, id -> entry(id, parts)))
                    .with("Content-Disposition", Downloads.attachment("workflow-instances.zip")));
  }

  private Future<List<InstanceId>> existing(List<InstanceId> ids) {
    var texts = ids.stream().map(InstanceId::value).toList();
    return instances
        .list(InstanceQueries.byIds(texts))
        .map(page -> page.items().stream().map(InstanceStore.Summary::id).toList());
  }

  private Future<ZipFlow.@Nullable Entry> entry(InstanceId id, Parts parts) {
    return instances
        .find(id)
        .compose(instance ->
            instance == null
                ? Future.succeededFuture((ZipFlow.@Nullable Entry) null)
                : instances
                    .journal(id)
                    .map(journal -> ExportedInstance.of(instance, journal))
                    .map(exported ->
                        new ZipFlow.Entry(exported.fileName(), exported.toJson(parts))));
  }

  /**
   * One export as JSON, or files of them. When a file is no JSON nothing is imported. Otherwise
   * each is restored or refused by itself; as long as one was restored the answer is 200 and says
   * of the others why not.
   */
  private Future<Answer> importFiles(Call call) {
    var files = call.files();
    var documents =
        files.isEmpty()
            ? Future.succeededFuture(List.of(document("body", call.body())))
            : call.onWorker(() -> documents(files, call));
    return documents
        .compose(all ->
            Batches.each(
                call::nextStep,
                all,
                document ->
                    document.exported() == null
                        ? Future.failedFuture(document.refused())
                        : imports.restore(
                            document.exported().instance(), document.exported().journal())))
        .map(InstanceFileRoutes::imported);
  }

  /** One file, read or refused. */
  private record Document(
      String name, @Nullable ExportedInstance exported, @Nullable Throwable refused) {}

  private List<Document> documents(List<Upload> files, Call call) {
    var limits = options.uploads().ofExports(call.limits());
    var documents = new ArrayList<Document>();
    for (var file : Archive.jsonFiles(files, options.uploads())) {
      documents.add(document(file.name(), JsonText.parseObject(file.content().getBytes(), limits)));
    }
    return documents;
  }

  private static Document document(String name, Map<String, @Nullable Object> json) {
    try {
      return new Document(name, ExportedInstance.read(json), null);
    } catch (RuntimeException e) {
      return new Document(name, null, Problems.exception(e));
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
    json.put("failed", failed);
    return Answer.ok(json);
  }
}
