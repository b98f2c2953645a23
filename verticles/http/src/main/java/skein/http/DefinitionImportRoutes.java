package skein.http;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonText;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.openapi.Body;
import skein.openapi.Operation;
import skein.openapi.Shape;
import skein.openapi.Tag;

/** Takes definitions in from files. */
final class DefinitionImportRoutes {
  private final EditableDefinitions definitions;
  private final UploadLimits limits;

  DefinitionImportRoutes(EditableDefinitions definitions, UploadLimits limits) {
    this.definitions = definitions;
    this.limits = limits;
  }

  /** Before the routes of definition ids: {@code import-files} is none. */
  void addTo(Routes routes) {
    routes.post(
        "/workflow-definitions/import-files",
        Operation.of(Tag.DEFINITIONS, "importDefinitionFiles", "Saves drafts from files")
            .with(new Body("multipart/form-data", ListShapes.FILES, true))
            .answers(Shape.object().has("count", Shape.COUNT))
            .fails(
                ErrorCode.DEFINITION_INVALID,
                ErrorCode.DEFINITION_CONFLICT,
                ErrorCode.DEFINITION_READ_ONLY),
        this::importFiles);
  }

  /**
   * Nothing is imported when a file cannot be read. After that each is saved as a draft or refused
   * by itself; refusals are reported together.
   */
  private Future<Answer> importFiles(Call call) {
    var files = call.files();
    if (files.isEmpty()) {
      throw BadRequest.of("Send .json files, or .zip archives of them, as multipart/form-data");
    }
    return call.onWorker(() -> readable(files, call))
        .compose(readable ->
            Batches.weighed(
                call::nextStep,
                readable,
                file -> file.content().length(),
                call.limits().bytesMax(),
                file ->
                    call.onWorker(() -> new Parsed(parsed(file, call)))
                        .compose(parsed -> definitions.of(call).save(parsed.json(), null))))
        .map(results -> {
          call.about(
              results.stream().map(done -> done.item().name()).collect(Collectors.joining(" ")));
          return imported(results);
        });
  }

  private record Parsed(Map<String, @Nullable Object> json) {}

  /** Their bytes are kept, and not what they say: parsed, that may be thirty times as much. */
  private List<Upload> readable(List<Upload> files, Call call) throws Exception {
    var unpacked = call.unpacked(files, limits, call.limits().bytesMax());
    unpacked.forEach(file -> parsed(file, call));
    return unpacked;
  }

  private static Map<String, @Nullable Object> parsed(Upload file, Call call) {
    try {
      return JsonText.parseObject(file.content().getBytes(), call.limits());
    } catch (SkeinException e) {
      throw new SkeinException(e.code(), file.name() + ": " + e.detail(), e.errors(), e);
    }
  }

  /** Refused with the code of the first refusal, or of the first one that passes. */
  static Answer imported(List<Batches.Done<Upload>> results) {
    var errors = new ArrayList<String>();
    SkeinException told = null;
    for (var result : results) {
      var refusal = result.refusal();
      if (refusal != null) {
        var why = refusal.errors().isEmpty() ? List.of(refusal.detail()) : refusal.errors();
        why.forEach(error -> errors.add(result.item().name() + ": " + error));
        if (told == null || (refusal.code().isTransient() && !told.code().isTransient())) {
          told = refusal;
        }
      }
    }
    long count = Batches.count(results);
    if (told != null) {
      throw new SkeinException(
          told.code(),
          count + " of " + results.size() + " definitions were imported",
          errors,
          told);
    }
    return Answer.ok(Map.of("count", count));
  }
}
