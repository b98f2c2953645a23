package skein.node.config;

import skein.codecs.JsonLimits;

/** Limits of JSON that is read. */
public record JsonConfig(int depthMax, int stringCharsMax, int membersMax, int numberDigitsMax) {
  private static final int MANY = 1_000_000_000;

  static JsonConfig from(Settings s) {
    return new JsonConfig(
        s.integer("json.depth-max", "200", 8, JsonLimits.DEPTH_CEILING),
        s.integer("json.string-chars-max", "1000000", 1000, MANY),
        s.integer("json.members-max", "100000", 100, MANY),
        s.integer("json.number-digits-max", "100", 20, 10_000));
  }
}
