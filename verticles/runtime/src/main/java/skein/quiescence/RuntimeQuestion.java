package skein.quiescence;

import io.vertx.core.json.JsonObject;

/** A question to a node about its part of the runtime. */
enum RuntimeQuestion {
  /** How far it is. */
  SHOW,
  /** Checks whether the runtime is paused, and reports its progress. */
  LOOK,
  /** Begins nothing any more, and reports its progress. */
  DRAIN;

  private static final String MEMBER = "question";

  JsonObject toJson() {
    return new JsonObject().put(MEMBER, name());
  }

  static RuntimeQuestion read(JsonObject json) {
    return valueOf(json.getString(MEMBER));
  }
}
