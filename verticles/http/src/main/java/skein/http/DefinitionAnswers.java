package skein.http;

import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.definitions.DefinitionDocuments;
import skein.definitions.Definitions.Published;
import skein.model.DefinitionRef;
import skein.model.WorkflowDefinition;
import skein.openapi.Parameter;
import skein.openapi.Shape;
import skein.storage.DefinitionStore;

/** Definitions in answers: as Elsa writes them, or as they were saved. Thread-safe. */
final class DefinitionAnswers {
  /** The values of {@code format}. */
  enum Format {
    /** With all members that Elsa's clients and its designer rely on. */
    elsa,
    /** As it was saved. */
    source
  }

  static final Parameter FORMAT =
      Parameter.query(
          "format",
          Shape.oneOf(Format.values()).byDefault("elsa"),
          "elsa: with what Elsa's designer relies on filled in; source: as it was saved");

  private final DefinitionStore store;
  private final DefinitionDocuments documents;

  DefinitionAnswers(DefinitionStore store, DefinitionDocuments documents) {
    this.store = store;
    this.documents = documents;
  }

  /** {@code call} may ask for a format in its query. */
  Future<Answer> of(Call call, WorkflowDefinition definition) {
    return document(definition, format(call.queryFields())).map(Answer::ok);
  }

  Future<Answer> of(WorkflowDefinition definition) {
    return document(definition, Format.elsa).map(Answer::ok);
  }

  /** A new draft; Elsa answers with its summary. */
  Future<Answer> reverted(WorkflowDefinition draft) {
    return document(draft, Format.elsa)
        .map(document -> {
          var json = new LinkedHashMap<String, @Nullable Object>(DefinitionJson.summary(draft));
          json.putAll(document);
          return Answer.ok(json);
        });
  }

  /** With the links from which designers know what they may do. */
  private Future<Map<String, @Nullable Object>> document(
      WorkflowDefinition definition, Format format) {
    return file(definition, format).map(json -> DefinitionJson.linked(json, definition));
  }

  /** A bare array, made while it is sent: one document may be megabytes. */
  Answer all(Call call, List<DefinitionRef> versions) {
    return list(call, versions, "[", "]");
  }

  /** The same as a list that says how many there are. */
  Answer counted(Call call, List<DefinitionRef> versions) {
    return list(
        call,
        versions,
        "{\"items\":[",
        "],\"totalCount\":%1$d,\"count\":%1$d}".formatted(versions.size()));
  }

  private Answer list(Call call, List<DefinitionRef> versions, String begin, String end) {
    var format = format(call.queryFields());
    return Answer.flowing(
        Answer.JSON,
        new ListFlow<>(call, versions, ref -> document(ref.versionId(), format), begin, end));
  }

  private Future<@Nullable Map<String, @Nullable Object>> document(
      String versionId, Format format) {
    return store
        .findVersion(versionId)
        .compose(found ->
            found == null
                ? Future.succeededFuture((@Nullable Map<String, @Nullable Object>) null)
                : document(found, format)
                    .map((Map<String, @Nullable Object> json) ->
                        (@Nullable Map<String, @Nullable Object>) json));
  }

  /** For a file: links are not part of a definition. */
  Future<Map<String, @Nullable Object>> file(WorkflowDefinition definition, Format format) {
    return format == Format.source
        ? Future.succeededFuture(DefinitionJson.file(definition))
        : documents.document(definition).map(DefinitionAnswers::withoutLinks);
  }

  private static Map<String, @Nullable Object> withoutLinks(Map<String, @Nullable Object> json) {
    var file = new LinkedHashMap<String, @Nullable Object>(json);
    file.remove("links");
    return file;
  }

  static Format format(Fields fields) {
    return fields.choice("format", Format.class, Format.elsa);
  }

  Future<Answer> published(Published done) {
    return document(done.definition(), Format.elsa)
        .map(document -> {
          var json = new LinkedHashMap<String, @Nullable Object>();
          json.put("workflowDefinition", document);
          json.put("alreadyPublished", done.alreadyPublished());
          json.put("consumingWorkflowCount", (long) done.consumers().size());
          // Where Elsa's clients look for what is wrong; here it was saved or published all the
          // same.
          json.put("validationErrors", FindingJson.all(done.findings()));
          return Answer.ok(json);
        });
  }
}
