package skein.node.supply;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What was known of holes in libraries on a day: {@code .mvn/advisories.json}.
 *
 * @param asOf the day on which the list was last compared with what is published
 */
record Advisories(LocalDate asOf, List<Advisory> all) {
  /**
   * One hole.
   *
   * @param component {@code group:artifact}, or a name alone
   * @param affected versions, by branch
   * @param fixed the first versions without it, by branch; empty when there is none
   * @param source where its id and versions were read
   */
  record Advisory(
      String id,
      String component,
      String severity,
      List<String> affected,
      List<String> fixed,
      String source,
      List<Decision> decisions) {
    boolean concerns(Component one) {
      var version = new Version(one.version());
      return component.equals(one.name())
          && affected.stream().map(VersionRange::of).anyMatch(range -> range.contains(version));
    }

    boolean isDecidedFor(Component one) {
      return decisions.stream().anyMatch(decision -> decision.isAbout(one));
    }
  }

  /**
   * Why an affected version is used nevertheless.
   *
   * @param within the library that brings it, null for one on the class path
   */
  record Decision(String version, @Nullable String within, String reason) {
    boolean isAbout(Component one) {
      return version.equals(one.version()) && Objects.equals(within, one.within());
    }
  }

  /**
   * Something that is used.
   *
   * @param within the library in which it lies, null for one on the class path
   */
  record Component(String name, String version, @Nullable String within) {
    @Override
    public String toString() {
      return name + " " + version + (within == null ? "" : " in " + within);
    }
  }

  static Advisories read(Path file) throws IOException {
    var json = new JsonObject(Files.readString(file));
    return new Advisories(
        LocalDate.parse(json.getString("asOf")),
        json.getJsonArray("advisories").stream().map(one -> advisory((JsonObject) one)).toList());
  }

  private static Advisory advisory(JsonObject json) {
    return new Advisory(
        json.getString("id"),
        json.getString("component"),
        json.getString("severity"),
        strings(json.getJsonArray("affected")),
        strings(json.getJsonArray("fixed")),
        json.getString("source"),
        json.getJsonArray("decisions", new JsonArray()).stream()
            .map(one -> decision((JsonObject) one))
            .toList());
  }

  private static Decision decision(JsonObject json) {
    return new Decision(
        json.getString("version"), json.getString("within"), json.getString("reason"));
  }

  private static List<String> strings(JsonArray array) {
    return array.stream().map(String.class::cast).toList();
  }

  /** A sentence for each component with a vulnerability without a written justification. */
  List<String> undecided(List<Component> used) {
    return used.stream()
        .flatMap(one ->
            all.stream()
                .filter(advisory -> advisory.concerns(one) && !advisory.isDecidedFor(one))
                .map(advisory ->
                    one
                        + " has "
                        + advisory.id()
                        + " ("
                        + advisory.severity()
                        + "), fixed in "
                        + advisory.fixed()
                        + ": take that, or write a decision in .mvn/advisories.json"))
        .toList();
  }
}
