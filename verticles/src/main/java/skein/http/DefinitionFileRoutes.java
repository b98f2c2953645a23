package skein.http;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonText;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.storage.DefinitionStore;

/** Takes definitions out as files, and in. */
final class DefinitionFileRoutes {
  private final EditableDefinitions definitions;
  private final DefinitionStore store;
  private final UploadLimits limits;

  DefinitionFileRoutes(
      EditableDefinitions definitions, DefinitionStore store, UploadLimits limits) {
    this.definitions = definitions;
    this.store = store;
    this.limits = limits;
  }

  /** Before the routes of definition ids: {@code import-files} is none. */
  void addTo(Routes routes) {
    routes
        .post("/workflow-definitions/import-files", this::importFiles)
        .get("/bulk-actions/export/workflow-definitions", call -> export(call, call.queryFields()))
        .post("/bulk-actions/export/workflow-definitions", call -> export(call, call.fields()));
  }

  /** {@code ids} are those of versions. One as JSON, several as an archive; 204 for none. */
  private Future<Answer> export(Call call, Fields fields) {
    var ids = fields.texts("ids").stream().distinct().toList();
    if (ids.isEmpty()) {
      throw Call.invalid("ids is empty: name the versions of definitions to export");
    }
    return ids.size() == 1
        ? store
            .findVersion(ids.getFirst())
            .compose(found -> VersionOptions.orNotFound(found, "version " + ids.getFirst()))
            .map(DefinitionRoutes::download)
        : Future.succeededFuture(
            Answer.flowing(ZipFlow.CONTENT_TYPE, new ZipFlow<>(call, ids, this::entry))
                .with("Content-Disposition", Downloads.attachment("workflow-definitions.zip")));
  }

  /** The version's id is in the name: two versions of one definition are two files. */
  private Future<ZipFlow.@Nullable Entry> entry(String id) {
    return store
        .findVersion(id)
        .map(found ->
            found == null
                ? null
                : new ZipFlow.Entry(
                    Downloads.safe(found.ref().definitionId() + "-" + id) + ".json",
                    DefinitionJson.file(found)));
  }

  /**
   * Nothing is imported when a file cannot be read. After that each is saved as a draft or refused
   * by itself; refusals are told together.
   */
  private Future<Answer> importFiles(Call call) {
    var files = call.files();
    if (files.isEmpty()) {
      throw Call.invalid("Send .json files, or .zip archives of them, as multipart/form-data");
    }
    return call.onWorker(() -> documents(files, call))
        .compose(documents ->
            Batches.each(
                call::nextStep, documents, document -> definitions.save(document.json(), null)))
        .map(DefinitionFileRoutes::imported);
  }

  private record Document(String name, Map<String, @Nullable Object> json) {}

  private List<Document> documents(List<Upload> files, Call call) {
    var documents = new ArrayList<Document>();
    for (var file : Archive.jsonFiles(files, limits)) {
      try {
        documents.add(
            new Document(
                file.name(), JsonText.parseObject(file.content().getBytes(), call.limits())));
      } catch (SkeinException e) {
        throw new SkeinException(e.code(), file.name() + ": " + e.detail(), e.errors(), e);
      }
    }
    return documents;
  }

  private static Answer imported(List<Batches.Done<Document>> results) {
    var errors = new ArrayList<String>();
    for (var result : results) {
      var refusal = result.refusal();
      if (refusal != null) {
        var why = refusal.errors().isEmpty() ? List.of(refusal.detail()) : refusal.errors();
        why.forEach(error -> errors.add(result.item().name() + ": " + error));
      }
    }
    long count = Batches.count(results);
    if (!errors.isEmpty()) {
      throw new SkeinException(
          ErrorCode.DEFINITION_INVALID,
          count + " of " + results.size() + " definitions were imported",
          errors,
          null);
    }
    return Answer.ok(Map.of("count", count));
  }
}
