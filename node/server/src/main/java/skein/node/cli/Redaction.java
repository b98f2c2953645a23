package skein.node.cli;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Takes out of JSON what may be a secret, by the names of members and the forms of texts. A text
 * that was a secret in one place is one in every place, after {@link #learn}.
 */
final class Redaction {
  static final String HIDDEN = "(redacted)";

  private static final Pattern SECRET_NAME =
      Pattern.compile(
          "(?i).*(password|passwd|pwd|secret|token|api.?key|authori[sz]ation|credential"
              + "|connection.?string|cookie|private.?key|access.?key|pin$|cvv|card.?number|iban).*");

  /** Members whose names look like it and which say nothing. */
  private static final Set<String> HARMLESS = Set.of("hasToken", "memoryReference");

  private static final Pattern[] SECRET_TEXT = {
    Pattern.compile("(?i)\\b(Bearer|Basic|ApiKey)\\s+[A-Za-z0-9._~+/=-]{8,}"),
    Pattern.compile("(?<=://)[^/\\s:@]+:[^/\\s@]+(?=@)"),
    Pattern.compile("\\beyJ[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]*"),
    Pattern.compile("(?<=/workflows/resume/)[A-Za-z0-9_-]{16,}"),
    Pattern.compile("-----BEGIN [A-Z ]*PRIVATE KEY-----[\\s\\S]*?-----END [A-Z ]*PRIVATE KEY-----"),
    Pattern.compile("(?i)(?<=\\b(?:password|pwd|token|secret|key)=)[^&;\\s\"']+")
  };

  /** A shorter secret is part of too many words. */
  private static final int LEARNT_CHARS_MIN = 4;

  private final boolean withoutData;
  private final Set<String> learnt = new LinkedHashSet<>();

  /** {@code withoutData}: values of variables, inputs and outputs go, too. */
  Redaction(boolean withoutData) {
    this.withoutData = withoutData;
  }

  private static final Set<String> DATA =
      Set.of("input", "output", "variables", "payload", "activityState", "properties", "state");

  /** Remembers the texts of members whose names say that they are secret. */
  void learn(JsonObject json) {
    for (var name : json.fieldNames()) {
      var value = json.getValue(name);
      if (isSecret(name, value)) {
        learnAll(value);
      } else {
        learnIn(value);
      }
    }
    if (isNamedSecret(json)) {
      learnAll(json.getValue("value"));
    }
  }

  private void learnIn(@Nullable Object value) {
    switch (value) {
      case JsonObject object -> learn(object);
      case JsonArray array -> array.forEach(this::learnIn);
      case null, default -> {
        // It has no members.
      }
    }
  }

  private void learnAll(@Nullable Object value) {
    switch (value) {
      case JsonObject object -> object.forEach(member -> learnAll(member.getValue()));
      case JsonArray array -> array.forEach(this::learnAll);
      case String text when text.length() >= LEARNT_CHARS_MIN -> learnt.add(text);
      case null, default -> {
        // A number or a flag may be anything.
      }
    }
  }

  /** A copy. */
  JsonObject of(JsonObject json) {
    var clean = new JsonObject();
    for (var name : json.fieldNames()) {
      var value = json.getValue(name);
      if (isSecret(name, value)) {
        clean.put(name, HIDDEN);
      } else if (withoutData && DATA.contains(name) && value != null) {
        clean.put(name, HIDDEN);
      } else {
        clean.put(name, any(value));
      }
    }
    return clean;
  }

  private static boolean isSecret(String name, @Nullable Object value) {
    return value != null
        && !(value instanceof Boolean)
        && !HARMLESS.contains(name)
        && SECRET_NAME.matcher(name).matches();
  }

  private @Nullable Object any(@Nullable Object value) {
    return switch (value) {
      case JsonObject object -> named(object);
      case JsonArray array -> {
        var clean = new JsonArray();
        array.forEach(item -> clean.add(any(item)));
        yield clean;
      }
      case String text -> text(text);
      case null, default -> value;
    };
  }

  /** An object that names what it holds, as a variable does: {@code {name, value}}. */
  private JsonObject named(JsonObject object) {
    var clean = of(object);
    if (isNamedSecret(object)) {
      clean.put("value", HIDDEN);
    }
    return clean;
  }

  private static boolean isNamedSecret(JsonObject object) {
    return object.getValue("name") instanceof String name
        && object.getValue("value") != null
        && SECRET_NAME.matcher(name).matches();
  }

  private String text(String text) {
    var clean = text;
    for (var secret : learnt) {
      clean = clean.replace(secret, HIDDEN);
    }
    for (var pattern : SECRET_TEXT) {
      clean = pattern.matcher(clean).replaceAll(HIDDEN);
    }
    return clean;
  }
}
