package skein.http;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.definitions.DefinitionDocuments;
import skein.definitions.Definitions.Published;
import skein.model.WorkflowDefinition;
import skein.openapi.Parameter;
import skein.openapi.Shape;

/** Definitions in answers: as Elsa writes them, or as they were saved. Thread-safe. */
final class DefinitionAnswers {
  /** What {@code format} asks for. */
  enum Format {
    /** What Elsa's clients and its designer rely on is filled in. */
    elsa,
    /** As it was saved. */
    source
  }

  static final Parameter FORMAT =
      Parameter.query(
          "format",
          Shape.oneOf(Format.values()).byDefault("elsa"),
          "elsa: with what Elsa's designer relies on filled in; source: as it was saved");

  private final DefinitionDocuments documents;

  DefinitionAnswers(DefinitionDocuments documents) {
    this.documents = documents;
  }

  /** {@code call} may ask for a format in its query. */
  Future<Answer> of(Call call, WorkflowDefinition definition) {
    return document(definition, format(call.queryFields())).map(Answer::ok);
  }

  Future<Answer> of(WorkflowDefinition definition) {
    return document(definition, Format.elsa).map(Answer::ok);
  }

  /** With the links from which designers know what they may do. */
  private Future<Map<String, @Nullable Object>> document(
      WorkflowDefinition definition, Format format) {
    return file(definition, format).map(json -> DefinitionJson.linked(json, definition));
  }

  /** In the same order. */
  Future<List<Map<String, @Nullable Object>>> all(Call call, List<WorkflowDefinition> definitions) {
    var format = format(call.queryFields());
    var written =
        format == Format.source
            ? Future.succeededFuture(definitions.stream().map(DefinitionJson::file).toList())
            : documents.documents(definitions);
    return written.map(all -> {
      var linked = new ArrayList<Map<String, @Nullable Object>>();
      for (var i = 0; i < all.size(); i++) {
        linked.add(DefinitionJson.linked(all.get(i), definitions.get(i)));
      }
      return linked;
    });
  }

  /** For a file: links are no part of a definition. */
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
