package skein.quiescence;

import io.vertx.core.json.JsonObject;

/** What a node is asked about its part of the runtime. */
enum RuntimeQuestion {
  /** How far it is. */
  SHOW,
  /** To look whether the runtime is paused, and then how far it is. */
  LOOK,
  /** To begin nothing any more, and how far it is then. */
  DRAIN;

  private static final String MEMBER = "question";

  JsonObject toJson() {
    return new JsonObject().put(MEMBER, name());
  }

  static RuntimeQuestion read(JsonObject json) {
    return valueOf(json.getString(MEMBER));
  }
}
