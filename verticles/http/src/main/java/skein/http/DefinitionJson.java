package skein.http;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.codecs.DefinitionCodec;
import skein.model.WorkflowDefinition;
import skein.storage.DefinitionStore;

/**
 * Definitions in the shapes of Elsa's API, with the links from which designers know what they may
 * do.
 */
final class DefinitionJson {
  private static final String BASE = "/workflow-definitions/";

  private DefinitionJson() {}

  static Map<String, @Nullable Object> summary(WorkflowDefinition definition) {
    return linked(DefinitionCodec.summary(definition), definition);
  }

  static Map<String, @Nullable Object> linked(
      Map<String, @Nullable Object> json, WorkflowDefinition definition) {
    var linked = new LinkedHashMap<String, @Nullable Object>(json);
    linked.put("links", links(definition));
    return linked;
  }

  /** As it was saved, for a file: links are not part of a definition. */
  static Map<String, @Nullable Object> file(WorkflowDefinition definition) {
    var json = new LinkedHashMap<String, @Nullable Object>(DefinitionCodec.write(definition));
    json.remove("links");
    return json;
  }

  /** A page of a list; its links are about all definitions. */
  static Map<String, @Nullable Object> page(DefinitionStore.Page page) {
    var json =
        Lists.page(page.items().stream().map(DefinitionJson::summary).toList(), page.total());
    var bulk = "/bulk-actions/";
    json.put(
        "links",
        List.of(
            link("self", "/workflow-definitions", "GET"),
            link("create", "/workflow-definitions", "POST"),
            link("import", BASE + "import", "POST"),
            link("import-files", BASE + "import-files", "POST"),
            link("bulk-export", bulk + "export/workflow-definitions", "POST"),
            link("bulk-publish", bulk + "publish/workflow-definitions/by-definition-ids", "POST"),
            link("bulk-retract", bulk + "retract/workflow-definitions/by-definition-ids", "POST"),
            link("bulk-delete-by-id", bulk + "delete/workflow-definitions/by-id", "POST"),
            link(
                "bulk-delete-by-definition-id",
                bulk + "delete/workflow-definitions/by-definition-id",
                "POST")));
    return json;
  }

  /** A read-only definition can be viewed, exported and run. */
  private static List<Map<String, String>> links(WorkflowDefinition definition) {
    var base = BASE + definition.ref().definitionId();
    var links = new ArrayList<Map<String, String>>();
    links.add(link("self", base, "GET"));
    links.add(link("versions", base + "/versions", "GET"));
    links.add(link("bulk-dispatch", base + "/bulk-dispatch", "POST"));
    links.add(link("dispatch", base + "/dispatch", "POST"));
    links.add(link("execute", base + "/execute", "POST"));
    links.add(link("export", base + "/export", "POST"));
    if (!EditableDefinitions.isReadOnly(definition)) {
      links.add(link("publish", base + "/publish", "POST"));
      links.add(link("retract", base + "/retract", "POST"));
      links.add(link("delete", base, "DELETE"));
      links.add(link("import", base + "/import", "PUT"));
      links.add(link("update-references", base + "/update-references", "POST"));
    }
    return links;
  }

  private static Map<String, String> link(String rel, String href, String method) {
    var link = new LinkedHashMap<String, String>();
    link.put("href", href);
    link.put("rel", rel);
    link.put("method", method);
    return link;
  }
}
