package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Element;

/** What repositories ask of a POM is there for every module that others depend on. */
class PublishedPomsTest {
  private static final Path PROJECT = Path.of("..", "..");
  private static final String OURS = "io.skein";
  private static final String BOM = "skein-bom";

  @Test
  void the_bom_has_every_published_module() throws Exception {
    var published = published();

    var versions = child(child(of(published, BOM), "dependencyManagement"), "dependencies");

    assertThat(children(versions, "dependency").map(each -> text(each, "artifactId")))
        .containsExactlyInAnyOrderElementsOf(
            published.keySet().stream().filter(id -> !id.equals(BOM)).toList());
    assertThat(published).hasSizeGreaterThan(3);
  }

  @ParameterizedTest
  @MethodSource("artifacts")
  void a_published_module_depends_on_published_ones_only(String artifact) throws Exception {
    var published = published();

    var dependencies =
        children(of(published, artifact), "dependencies")
            .flatMap(each -> children(each, "dependency"))
            .filter(each -> text(each, "groupId").equals(OURS))
            .map(each -> text(each, "artifactId"));

    assertThat(published.keySet()).containsAll(dependencies.toList());
  }

  private static Element of(Map<String, Element> published, String artifact) {
    return Objects.requireNonNull(published.get(artifact), artifact);
  }

  /** The names and texts are its own, the rest is the root's, from which a release flattens it. */
  @ParameterizedTest
  @MethodSource("artifacts")
  void a_published_module_says_what_it_is(String artifact) throws Exception {
    var pom = of(published(), artifact);

    assertThat(text(pom, "name")).isNotBlank();
    assertThat(text(pom, "description")).isNotBlank();
    assertThat(List.of("url", "licenses", "developers", "scm"))
        .noneMatch(element -> children(pom, element).findAny().isPresent());
  }

  @Test
  void the_root_says_under_which_licence_by_whom_and_where() throws Exception {
    var root = pom(PROJECT.resolve("pom.xml"));

    assertThat(text(child(child(root, "licenses"), "license"), "name")).isEqualTo("Apache-2.0");
    assertThat(Files.readString(PROJECT.resolve("LICENSE")))
        .contains("Apache License", "Version 2.0");
    assertThat(text(child(child(root, "developers"), "developer"), "name")).isNotBlank();
    assertThat(text(root, "url")).isEqualTo("${project.home}");
    assertThat(text(child(root, "scm"), "url")).isEqualTo("${project.home}");
    assertThat(text(child(root, "scm"), "connection")).isEqualTo("${project.repository}");
  }

  @Test
  void a_release_has_sources_javadoc_and_names_its_home() throws Exception {
    var profiles = children(child(pom(PROJECT.resolve("pom.xml")), "profiles"), "profile");

    var release = profiles.filter(each -> text(each, "id").equals("release")).findFirst();
    var plugins = child(child(release.orElseThrow(), "build"), "plugins");

    assertThat(children(plugins, "plugin").map(each -> text(each, "artifactId")))
        .contains("maven-source-plugin", "maven-javadoc-plugin", "flatten-maven-plugin");
    assertThat(
            IntStream.range(0, plugins.getElementsByTagName("property").getLength())
                .mapToObj(i -> plugins.getElementsByTagName("property").item(i).getTextContent()))
        .containsExactlyInAnyOrder("project.home", "project.repository");
  }

  static Stream<String> artifacts() throws Exception {
    return published().keySet().stream();
  }

  /** By their artifact ids. */
  private static Map<String, Element> published() throws Exception {
    try (var files = Files.find(PROJECT, 3, (file, is) -> file.endsWith("pom.xml"))) {
      return files
          .map(PublishedPomsTest::pom)
          .filter(pom ->
              children(pom, "properties")
                  .flatMap(each -> children(each, "unpublished"))
                  .anyMatch(each -> each.getTextContent().equals("false")))
          .collect(Collectors.toMap(pom -> text(pom, "artifactId"), pom -> pom));
    }
  }

  private static Element pom(Path file) {
    try {
      return DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .parse(file.toFile())
          .getDocumentElement();
    } catch (Exception e) {
      throw new AssertionError(file.toString(), e);
    }
  }

  private static Stream<Element> children(Element parent, String name) {
    var nodes = parent.getChildNodes();
    return IntStream.range(0, nodes.getLength())
        .mapToObj(nodes::item)
        .filter(node -> node.getNodeName().equals(name))
        .map(Element.class::cast);
  }

  private static Element child(Element parent, String name) {
    return children(parent, name)
        .findFirst()
        .orElseThrow(() -> new AssertionError(parent.getNodeName() + " has no " + name));
  }

  private static String text(Element parent, String name) {
    return child(parent, name).getTextContent().strip();
  }
}
