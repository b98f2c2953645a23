package skein.codecs;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.model.DefinitionRef;
import skein.model.SkeinException;
import skein.model.WorkflowDefinition;

/**
 * Elsa 3 JSON to {@link WorkflowDefinition} and back.
 *
 * <p>Lenient: members may be missing, unknown members and activities are kept as they are, but
 * {@code tenantId}, which is dropped: whose a definition is, no document says. What an activity or
 * a connection means is the graph's business; here only the frame is read.
 */
public final class DefinitionCodec {
  public static final int ID_CHARS_MAX = 255;
  public static final int NAME_CHARS_MAX = 255;
  public static final int DESCRIPTION_CHARS_MAX = 10_000;

  /** Elsa wraps every root in an activity of this id; paths begin with it. */
  public static final String WORKFLOW_NODE_ID = "Workflow1";

  private static final String TENANT = "tenantId";

  private DefinitionCodec() {}

  /**
   * Reads a definition; throws {@code DEFINITION_INVALID} with everything that is wrong.
   *
   * @param json the document, as parsed
   * @param now when it was made, if it does not say
   * @param definitionId its logical id, if it does not say
   * @param versionId the id of this version, if it does not say
   */
  public static WorkflowDefinition read(
      Map<String, @Nullable Object> json, Instant now, String definitionId, String versionId) {
    var frame = new Frame(json);
    var definition =
        new WorkflowDefinition(
            new DefinitionRef(
                frame.id("definitionId", definitionId), frame.id("id", versionId), frame.version()),
            frame.text("name", NAME_CHARS_MAX),
            frame.text("description", DESCRIPTION_CHARS_MAX),
            frame.flag("isLatest", true),
            frame.flag("isPublished", false),
            frame.instant("createdAt", now),
            withoutTenant(json));
    frame.requireRoot();
    if (!frame.errors.isEmpty()) {
      throw SkeinException.definitionInvalid(frame.errors);
    }
    return definition;
  }

  private static Map<String, @Nullable Object> withoutTenant(Map<String, @Nullable Object> json) {
    if (json.keySet().stream().noneMatch(TENANT::equalsIgnoreCase)) {
      return json;
    }
    var copy = new LinkedHashMap<String, @Nullable Object>(json);
    copy.keySet().removeIf(TENANT::equalsIgnoreCase);
    return Collections.unmodifiableMap(copy);
  }

  /** The whole document; the components of the record and the paths of the activities are set. */
  public static Map<String, @Nullable Object> write(WorkflowDefinition definition) {
    var document = new LinkedHashMap<String, @Nullable Object>();
    document.put("id", definition.ref().versionId());
    document.put("definitionId", definition.ref().definitionId());
    if (!definition.ref().tenant().isEmpty()) {
      document.put(TENANT, definition.ref().tenant());
    }
    document.put("name", definition.name());
    document.put("description", definition.description());
    document.put("createdAt", definition.createdAt().toString());
    document.put("version", (long) definition.ref().version());
    document.put("isLatest", definition.latest());
    document.put("isPublished", definition.published());
    for (var member : definition.json().entrySet()) {
      if (!document.containsKey(member.getKey())) {
        document.put(member.getKey(), member.getValue());
      }
    }
    document.computeIfPresent("root", (name, root) -> ActivityPaths.written(root));
    return Collections.unmodifiableMap(document);
  }

  /** The members of a definition that lists show. */
  public static Map<String, @Nullable Object> summary(WorkflowDefinition definition) {
    var json = definition.json();
    var summary = new LinkedHashMap<String, @Nullable Object>();
    summary.put("id", definition.ref().versionId());
    summary.put("definitionId", definition.ref().definitionId());
    if (!definition.ref().tenant().isEmpty()) {
      summary.put(TENANT, definition.ref().tenant());
    }
    summary.put("name", definition.name());
    summary.put("description", definition.description());
    summary.put("version", (long) definition.ref().version());
    summary.put("toolVersion", json.get("toolVersion"));
    summary.put("isLatest", definition.latest());
    summary.put("isPublished", definition.published());
    summary.put("isReadonly", Boolean.TRUE.equals(json.get("isReadonly")));
    summary.put("isSystem", Boolean.TRUE.equals(json.get("isSystem")));
    summary.put("providerName", json.get("providerName"));
    summary.put("materializerName", "Json");
    summary.put("isMaterializerAvailable", true);
    summary.put("createdAt", definition.createdAt().toString());
    summary.put("links", List.of());
    return Collections.unmodifiableMap(summary);
  }

  /** Reads the members around the graph and remembers what is wrong with them. */
  private static final class Frame {
    private final Map<String, @Nullable Object> json;
    private final List<String> errors = new ArrayList<>();

    Frame(Map<String, @Nullable Object> json) {
      this.json = json;
    }

    /** Blank is absent: designers send an empty id for what they have not saved yet. */
    String id(String member, String fallback) {
      var given = json.get(member);
      if (given == null) {
        return fallback;
      }
      if (given instanceof String id && id.isBlank()) {
        return fallback;
      }
      if (given instanceof String id) {
        requireText(member, id, ID_CHARS_MAX);
        if (!id.equals(id.strip()) || id.chars().anyMatch(Character::isISOControl)) {
          errors.add(member + " has blanks around it or control characters");
        }
        return id;
      }
      return wrong(member, "a string", fallback);
    }

    /** 0 is absent: it is what Elsa's own clients send for a version they did not set. */
    int version() {
      var given = json.get("version");
      if (given == null) {
        return 1;
      }
      if (given instanceof Long n && n == 0) {
        return 1;
      }
      if (given instanceof Long n && n > 0 && n <= Integer.MAX_VALUE) {
        return n.intValue();
      }
      return wrong("version", "a whole number from 1 to " + Integer.MAX_VALUE, 1);
    }

    @Nullable String text(String member, int charsMax) {
      var given = json.get(member);
      if (given == null) {
        return null;
      }
      if (given instanceof String text) {
        requireText(member, text, charsMax);
        return text;
      }
      return this.<@Nullable String>wrong(member, "a string", null);
    }

    boolean flag(String member, boolean fallback) {
      var given = json.get(member);
      if (given == null) {
        return fallback;
      }
      if (given instanceof Boolean flag) {
        return flag;
      }
      return wrong(member, "true or false", fallback);
    }

    Instant instant(String member, Instant fallback) {
      var given = json.get(member);
      if (given == null) {
        return fallback;
      }
      if (given instanceof String text) {
        try {
          var parsed =
              DateTimeFormatter.ISO_DATE_TIME.parseBest(
                  text, OffsetDateTime::from, LocalDateTime::from);
          var at =
              parsed instanceof OffsetDateTime exact
                  ? exact
                  : LocalDateTime.from(parsed).atOffset(ZoneOffset.UTC);
          // Other years are not plausible dates, and not every database can store them.
          return at.getYear() >= 1 && at.getYear() <= 9999
              ? at.toInstant()
              : wrong(member, "between the years 1 and 9999", fallback);
        } catch (DateTimeParseException e) {
          return wrong(member, "a date and time as in ISO 8601", fallback);
        }
      }
      return wrong(member, "a date and time as in ISO 8601", fallback);
    }

    void requireRoot() {
      if (!json.containsKey("root")) {
        errors.add("root is missing: the activity the workflow begins with");
      } else if (!(json.get("root") instanceof Map<?, ?>)) {
        errors.add("root is not an object");
      }
      errors.addAll(ActivityPaths.errors(json.get("root")));
    }

    private void requireText(String member, String text, int charsMax) {
      if (text.length() > charsMax) {
        errors.add(
            member + " has " + text.length() + " characters; at most " + charsMax + " are allowed");
      }
      if (!StorableText.isStorable(text)) {
        errors.add(member + " has a character that cannot be stored");
      }
    }

    private <T extends @Nullable Object> T wrong(String member, String expected, T fallback) {
      errors.add(member + " is not " + expected);
      return fallback;
    }
  }
}
