package skein.http;

import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonLimits;
import skein.definitions.Definitions.Published;
import skein.identity.Requirement;
import skein.model.ErrorCode;
import skein.model.WorkflowDefinition;
import skein.openapi.Operation;
import skein.openapi.Parameter;
import skein.openapi.Shape;
import skein.openapi.Tag;
import skein.storage.DefinitionSearch;
import skein.storage.DefinitionStore;
import skein.storage.DefinitionStore.Listed;
import skein.storage.DefinitionStore.OrderBy;
import skein.storage.DefinitionStore.Query;

/** Saves, reads and lists definitions. */
final class DefinitionRoutes {
  private static final Requirement PUBLISH = Requirement.oneOf("publish:workflow-definitions");
  private static final int PAGE_SIZE = 50;

  /** Also of a list without a requested page size. */
  private static final int PAGE_MAX = 1_000;

  private static final Set<String> PAGED = Set.of("page", "pageSize", "skip", "take");

  private final EditableDefinitions definitions;
  private final DefinitionStore store;
  private final DefinitionSearch search;
  private final JsonLimits limits;
  private final DefinitionAnswers answers;
  private final Gate gate;

  /** {@code limits}: of a definition that is sent. */
  DefinitionRoutes(
      EditableDefinitions definitions,
      DefinitionStore store,
      DefinitionSearch search,
      JsonLimits limits,
      DefinitionAnswers answers,
      Gate gate) {
    this.answers = answers;
    this.gate = gate;
    this.definitions = definitions;
    this.store = store;
    this.search = search;
    this.limits = limits;
  }

  /** Fixed words before parameters: the first route that fits is taken. */
  void addTo(Routes routes) {
    routes
        .get(
            "/workflow-definitions",
            Operation.of(Tag.DEFINITIONS, "listDefinitions", "Lists definitions")
                .takesPage()
                .takes(
                    DefinitionShapes.LISTED_VERSIONS,
                    Parameter.query("searchTerm", Shape.TEXT, "A part of the name, or a whole id"),
                    Parameter.several("definitionIds", "Only of these definitions"),
                    Parameter.several("ids", "Only these versions"),
                    Parameter.query(
                        "orderBy",
                        Shape.oneOf(OrderBy.values()).byDefault("Name"),
                        "What the list is sorted by"),
                    Parameter.query(
                        "orderDirection",
                        Shape.oneOf("Ascending", "Descending"),
                        "Unless it says, names ascend, times and versions descend"),
                    Parameter.query(
                        "isSystem", Shape.FLAG, "True: none, since there are no system workflows"))
                .answers(DefinitionShapes.PAGE),
            this::list)
        .post(
            "/workflow-definitions",
            Operation.of(
                    Tag.DEFINITIONS,
                    "saveDefinition",
                    "Saves a draft, and publishes it if asked to")
                .takes(DefinitionCheckRoutes.STRICT)
                .needs(DefinitionShapes.SAVE)
                .answers(DefinitionShapes.PUBLISHED)
                .fails(
                    ErrorCode.DEFINITION_INVALID,
                    ErrorCode.DEFINITION_CONFLICT,
                    ErrorCode.DEFINITION_READ_ONLY),
            this::save)
        .post(
            "/workflow-definitions/import",
            Operation.of(
                    Tag.DEFINITIONS,
                    "importDefinition",
                    "Saves a draft, as files of definitions have it")
                .needs(DefinitionShapes.MODEL)
                .answers(DefinitionShapes.DOCUMENT)
                .fails(
                    ErrorCode.DEFINITION_INVALID,
                    ErrorCode.DEFINITION_CONFLICT,
                    ErrorCode.DEFINITION_READ_ONLY),
            call -> imported(call, null))
        .put(
            "/workflow-definitions/import",
            Operation.of(
                    Tag.DEFINITIONS,
                    "importDefinitionByPut",
                    "Saves a draft, as files of definitions have it")
                .needs(DefinitionShapes.MODEL)
                .answers(DefinitionShapes.DOCUMENT)
                .fails(
                    ErrorCode.DEFINITION_INVALID,
                    ErrorCode.DEFINITION_CONFLICT,
                    ErrorCode.DEFINITION_READ_ONLY),
            call -> imported(call, null))
        .get(
            "/workflow-definitions/many-by-id",
            Operation.of(Tag.DEFINITIONS, "getDefinitionVersions", "Reads several versions")
                .takes(Parameter.several("ids", "Of versions"), DefinitionAnswers.FORMAT)
                .answers(ListShapes.all(DefinitionShapes.DOCUMENT)),
            this::manyById)
        .get(
            "/workflow-definitions/query/count",
            Operation.of(Tag.DEFINITIONS, "countDefinitions", "Counts definitions")
                .answers(Shape.object().has("count", Shape.COUNT)),
            this::count)
        .get(
            "/workflow-definitions/validation/is-name-unique",
            Operation.of(
                    Tag.DEFINITIONS,
                    "isDefinitionNameUnique",
                    "Says whether no other definition has a name")
                .takes(
                    Parameter.needed("name", Shape.ID, "The name"),
                    Parameter.query("definitionId", Shape.ID, "A definition that may have it"))
                .answers(Shape.object().has("isUnique", Shape.FLAG)),
            this::isNameUnique)
        .get(
            "/workflow-definitions/by-definition-id/:definitionId",
            Operation.of(Tag.DEFINITIONS, "getDefinitionByDefinitionId", "Reads a definition")
                .takes(DefinitionShapes.VERSION_OPTIONS, DefinitionAnswers.FORMAT)
                .answers(DefinitionShapes.DOCUMENT)
                .fails(ErrorCode.DEFINITION_NOT_FOUND),
            this::get)
        .get(
            "/workflow-definitions/by-id/:id",
            Operation.of(Tag.DEFINITIONS, "getDefinitionVersion", "Reads a version by its own id")
                .takes(DefinitionAnswers.FORMAT)
                .answers(DefinitionShapes.DOCUMENT)
                .fails(ErrorCode.DEFINITION_NOT_FOUND),
            this::getVersion)
        .get(
            "/workflow-definitions/:definitionId",
            Operation.of(Tag.DEFINITIONS, "getDefinition", "Reads a definition")
                .takes(DefinitionShapes.VERSION_OPTIONS, DefinitionAnswers.FORMAT)
                .answers(DefinitionShapes.DOCUMENT)
                .fails(ErrorCode.DEFINITION_NOT_FOUND),
            this::get)
        .put(
            "/workflow-definitions/:definitionId",
            Operation.of(
                    Tag.DEFINITIONS,
                    "replaceDefinition",
                    "Saves and publishes, unless publish is false")
                .takes(DefinitionCheckRoutes.STRICT)
                .needs(DefinitionShapes.SAVE)
                .answers(DefinitionShapes.PUBLISHED)
                .fails(
                    ErrorCode.DEFINITION_INVALID,
                    ErrorCode.DEFINITION_CONFLICT,
                    ErrorCode.DEFINITION_READ_ONLY),
            this::replace)
        .get(
            "/workflow-definitions/:definitionId/versions",
            Operation.of(
                    Tag.DEFINITIONS, "listDefinitionVersions", "Reads all versions, newest first")
                .takes(DefinitionAnswers.FORMAT)
                .answers(Shape.listOf(DefinitionShapes.DOCUMENT))
                .fails(ErrorCode.DEFINITION_NOT_FOUND),
            this::versions)
        .post(
            "/workflow-definitions/:definitionId/import",
            Operation.of(
                    Tag.DEFINITIONS,
                    "importDefinitionAs",
                    "Saves a draft, as files of definitions have it")
                .needs(DefinitionShapes.MODEL)
                .answers(DefinitionShapes.DOCUMENT)
                .fails(
                    ErrorCode.DEFINITION_INVALID,
                    ErrorCode.DEFINITION_CONFLICT,
                    ErrorCode.DEFINITION_READ_ONLY),
            this::importedAs)
        .put(
            "/workflow-definitions/:definitionId/import",
            Operation.of(
                    Tag.DEFINITIONS,
                    "importDefinitionAsByPut",
                    "Saves a draft, as files of definitions have it")
                .needs(DefinitionShapes.MODEL)
                .answers(DefinitionShapes.DOCUMENT)
                .fails(
                    ErrorCode.DEFINITION_INVALID,
                    ErrorCode.DEFINITION_CONFLICT,
                    ErrorCode.DEFINITION_READ_ONLY),
            this::importedAs);
  }

  private Future<Answer> list(Call call) {
    var fields = call.queryFields();
    if (fields.isTrue("isSystem")) {
      return Future.succeededFuture(Answer.ok(Lists.of(List.of())));
    }
    var window = fields.window(PAGED.stream().anyMatch(fields::has) ? PAGE_SIZE : PAGE_MAX);
    var orderBy = fields.choice("orderBy", OrderBy.class, OrderBy.Name);
    var query =
        new Query(
            listed(fields),
            fields.text("searchTerm"),
            fields.texts("definitionId", "definitionIds"),
            fields.texts("ids"),
            new DefinitionStore.Window(
                orderBy, fields.descending(orderBy != OrderBy.Name), window.skip(), window.take()));
    return store.list(query, call.scope()).map(page -> Answer.ok(DefinitionJson.page(page)));
  }

  private static Listed listed(Fields fields) {
    return switch (VersionOptions.parse(fields.text("versionOptions"), Listed.AllVersions)) {
      case VersionOptions.Word(var word) -> word;
      case VersionOptions.Numbered _ ->
          throw BadRequest.of("versionOptions of a list is a word such as Latest");
    };
  }

  private Future<Answer> count(Call call) {
    return store
        .list(query(Listed.Latest, List.of(), 1), call.scope())
        .map(page -> Answer.ok(Map.of("count", page.total())));
  }

  private static Query query(Listed listed, List<String> ids, int take) {
    return new Query(
        listed, null, List.of(), ids, new DefinitionStore.Window(OrderBy.Name, false, 0, take));
  }

  private Future<Answer> manyById(Call call) {
    var ids = call.queryFields().texts("ids");
    return store.refs(ids, call.scope()).map(found -> answers.counted(call, found));
  }

  private Future<Answer> isNameUnique(Call call) {
    var fields = call.queryFields();
    var name = fields.required("name");
    var definitionId = fields.text("definitionId");
    return search
        .nameTaken(name, definitionId, call.scope())
        .map(taken -> Answer.ok(Map.of("isUnique", !taken)));
  }

  private Future<Answer> get(Call call) {
    var options = VersionOptions.parse(call.queryFields().text("versionOptions"), Listed.Latest);
    return VersionOptions.find(store, call.path("definitionId"), options)
        .compose(found -> answers.of(call, found));
  }

  private Future<Answer> getVersion(Call call) {
    var id = call.path("id");
    return store
        .findVersion(id)
        .compose(found -> VersionOptions.orNotFound(found, "version " + id))
        .compose(found -> answers.of(call, found));
  }

  /** A bare array, as Elsa's, newest first. */
  private Future<Answer> versions(Call call) {
    var definitionId = call.path("definitionId");
    return store
        .versions(definitionId)
        .compose(all ->
            all.isEmpty()
                ? VersionOptions.orNotFound(null, definitionId).map(_ -> all)
                : Future.succeededFuture(all))
        .map(all -> answers.all(call, all));
  }

  /** {@code {model, publish}}, or the definition itself. */
  private Future<Answer> save(Call call) {
    return call.largeBody(limits).compose(body -> save(call, body));
  }

  private Future<Answer> save(Call call, Map<String, @Nullable Object> body) {
    var fields = Fields.of(body);
    var model = fields.has("model") ? fields.object("model") : body;
    if (model.get("definitionId") instanceof String definitionId) {
      call.about(definitionId);
    }
    boolean publish = fields.has("model") && fields.isTrue("publish");
    if (publish) {
      gate.require(call, PUBLISH);
    }
    var own = definitions.of(call);
    return publish
        ? own.saveAndPublish(model, null, DefinitionCheckRoutes.isStrict(call))
            .compose(answers::published)
        : saved(own.save(model, null));
  }

  private Future<Answer> saved(Future<WorkflowDefinition> saving) {
    return saving
        .compose(draft ->
            definitions
                .findings(draft)
                .map(findings -> new Published(draft, false, findings, List.of())))
        .compose(answers::published);
  }

  /** The guide's update: saved and published, unless it says {@code publish: false}. */
  private Future<Answer> replace(Call call) {
    var definitionId = call.path("definitionId");
    boolean strict = DefinitionCheckRoutes.isStrict(call);
    var own = definitions.of(call);
    return call.largeBody(limits).compose(body -> replace(own, body, definitionId, strict));
  }

  private Future<Answer> replace(
      EditableDefinitions own,
      Map<String, @Nullable Object> body,
      String definitionId,
      boolean strict) {
    var fields = Fields.of(body);
    boolean wrapped = fields.has("model");
    var model = wrapped ? fields.object("model") : body;
    return wrapped && Boolean.FALSE.equals(fields.flag("publish"))
        ? saved(own.save(model, definitionId))
        : own.saveAndPublish(model, definitionId, strict).compose(answers::published);
  }

  private Future<Answer> importedAs(Call call) {
    return imported(call, call.path("definitionId"));
  }

  private Future<Answer> imported(Call call, @Nullable String definitionId) {
    return call.largeBody(limits)
        .compose(body -> definitions.of(call).save(body, definitionId))
        .compose(saved -> {
          call.about(saved.ref().definitionId());
          return answers.of(saved);
        });
  }
}
