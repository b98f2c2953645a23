package skein.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarOutputStream;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import skein.activities.Input;
import skein.execution.OneNode;
import skein.messages.Reply;
import skein.messages.Request;
import skein.model.InstanceId;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;
import skein.spi.CustomActivity;

/** The example of the README, compiled, packed, loaded from a folder, and run. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CustomActivitiesIT {
  private static final Pattern EXAMPLE =
      Pattern.compile("## Custom activities.*?```java\\n(.*?)```", Pattern.DOTALL);

  private CustomActivities own;
  private OneNode node;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    var readme = Files.readString(Path.of("../../codecs/README.md"));
    var example = EXAMPLE.matcher(readme);
    assertThat(example.find()).isTrue();
    pack(compile(folder, "ChargeCard", example.group(1)), folder, "com.acme.ChargeCard");
    own = CustomActivities.load(folder);
    node = new OneNode(vertx -> List.of(own.worker(vertx, SecretSource.NONE)), own.activities());
    node.publish(
        """
        {"definitionId":"charge","root":{"id":"S","type":"Elsa.Sequence","activities":[
          {"id":"Charge","type":"Acme.ChargeCard",
           "card":{"typeName":"String","expression":{"type":"Literal","value":"4711"}},
           "cents":{"typeName":"Int64","expression":{"type":"Input","value":"cents"}},
           "text":{"typeName":"String","memoryReference":{"id":"receipt"}}}]}}\
        """);
  }

  @AfterAll
  void stop() {
    node.close();
  }

  private static Path compile(Path folder, String name, String source)
      throws IOException, URISyntaxException {
    var file = Files.writeString(folder.resolve(name + ".java"), source);
    var classes = Files.createDirectories(folder.resolve("classes"));
    var spi =
        Path.of(CustomActivity.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    var compiler = ToolProvider.getSystemJavaCompiler();
    int result =
        compiler.run(
            null,
            null,
            null,
            "-proc:none",
            "-cp",
            spi.toString(),
            "-d",
            classes.toString(),
            file.toString());
    assertThat(result).isZero();
    return classes;
  }

  private static void pack(Path classes, Path folder, String service) throws IOException {
    try (var jar = new JarOutputStream(Files.newOutputStream(folder.resolve("acme.jar")));
        var files = Files.walk(classes)) {
      for (var file : files.filter(Files::isRegularFile).toList()) {
        jar.putNextEntry(new ZipEntry(classes.relativize(file).toString()));
        jar.write(Files.readAllBytes(file));
      }
      jar.putNextEntry(new ZipEntry("META-INF/services/" + CustomActivity.class.getName()));
      jar.write(service.getBytes(StandardCharsets.UTF_8));
    }
  }

  private InstanceId charge(@Nullable Object cents) {
    return node.start("charge", Map.of("cents", cents == null ? 0L : cents));
  }

  private WorkflowInstance completed(InstanceId id) {
    var instance = node.awaitStatus(id, WorkflowStatus.Completed);
    assertThat(instance.status())
        .as(instance.incidents().toString())
        .isEqualTo(WorkflowStatus.Completed);
    return instance;
  }

  /** They complete on threads of their own; what waits for them belongs to an event loop. */
  @Test
  void callers_of_many_workflows_of_three_own_activities_are_all_answered_when_they_have_ended() {
    var charge =
        """
        {"id":"%s","type":"Acme.ChargeCard",
         "card":{"typeName":"String","expression":{"type":"Literal","value":"4711"}},
         "cents":{"typeName":"Int64","expression":{"type":"Literal","value":1}},
         "text":{"typeName":"String","memoryReference":{"id":"receipt"}}}\
        """;
    node.publish(
        """
        {"definitionId":"three","root":{"id":"S","type":"Elsa.Sequence","activities":[%s,%s,%s]}}\
        """
            .formatted(charge.formatted("a"), charge.formatted("b"), charge.formatted("c")));
    var start = new Request.Start("three", Map.of(), null, null, null, null, false);

    var answers = new ArrayList<Future<Reply.Done>>();
    for (int i = 0; i < 512; i++) {
      answers.add(node.ingress.start(start));
    }

    for (var answer : answers) {
      assertThat(answer.await().status()).isEqualTo(WorkflowStatus.Completed);
    }
  }

  @Test
  void it_is_described_by_its_records() {
    var descriptor = own.activities().iterator().next().descriptor();

    assertThat(descriptor.typeName()).isEqualTo("Acme.ChargeCard");
    assertThat(descriptor.category()).isEqualTo("Acme");
    assertThat(descriptor.inputs())
        .containsExactly(
            Input.of("card", "String"),
            Input.of("cents", "Int64"),
            Input.of("currency", "String", "EUR"));
    assertThat(descriptor.outcomes()).containsExactly("Done", "Refused");
  }

  @Test
  void its_work_is_done_with_the_key_and_its_outputs_are_bound() {
    var id = charge(500L);

    assertThat(completed(id).output()).containsEntry("receipt", "500 EUR by " + id + ":2");
  }

  @Test
  void it_waits_for_its_event() {
    var approved = charge(200_000L);
    var refused = charge(300_000L);
    assertThat(node.get(approved).status()).isEqualTo(WorkflowStatus.Suspended);

    publish(approved, true);
    publish(refused, false);

    assertThat(completed(approved).output().get("receipt")).asString().startsWith("200000 EUR by");
    assertThat(completed(refused).output()).containsEntry("receipt", "refused");
  }

  private void publish(InstanceId id, boolean yes) {
    node.ingress.publishEvent(new Request.PublishEvent("Approval", null, id, yes), true).await();
  }

  @Test
  void one_that_cannot_be_used_is_refused_when_it_is_loaded(@TempDir Path folder) throws Exception {
    var source =
        """
        package com.acme;
        public final class Wrong implements skein.spi.CustomActivity<Wrong.In, Wrong.In> {
          public record In() {}
          public String type() { return "Elsa.WriteLine"; }
          public Class<In> inputs() { return In.class; }
          public Class<In> outputs() { return In.class; }
          public skein.spi.Step<In> run(In in) { return skein.spi.Step.done(in); }
        }\
        """;
    pack(compile(folder, "Wrong", source), folder, "com.acme.Wrong");

    assertThatThrownBy(() -> CustomActivities.load(folder))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Elsa.WriteLine")
        .hasMessageContaining("not a valid type name such as");
  }
}
