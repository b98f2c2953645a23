package skein.node.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import skein.node.dev.CannotStartException;

/** With a repository whose launcher is a script of two lines. */
class OtherBuildTest {
  @TempDir Path home;

  @BeforeEach
  void a_repository_with_two_commits() throws Exception {
    git("init", "--quiet");
    launcher("exit 3");
    commit("It cannot be built");
    launcher("touch \"$(dirname \"$0\")/built\"");
    commit("It can");
  }

  @Test
  void a_commit_is_built_in_a_work_tree_that_is_gone_afterwards() throws Exception {
    Path launcher;
    try (var build = new OtherBuild(home, "HEAD")) {
      launcher = build.launcher();

      assertThat(launcher).isExecutable();
      assertThat(launcher.startsWith(home)).isFalse();
      assertThat(launcher.resolveSibling("built")).exists();
    }
    assertThat(launcher).doesNotExist();
    assertThat(git("worktree", "list").lines()).hasSize(1);
    assertThat(home.resolve("node/built")).doesNotExist();
  }

  @Test
  void the_folder_of_a_checkout_is_built_where_it_is() {
    try (var build = new OtherBuild(home, home.toString())) {
      assertThat(build.launcher()).isEqualTo(home.resolve("node/skein"));
    }
    assertThat(home.resolve("node/built")).exists();
  }

  @Test
  void what_does_not_exist_or_cannot_be_built_is_said_with_the_reason() {
    try (var none = new OtherBuild(home, "no-such-commit")) {
      assertThatThrownBy(none::launcher)
          .isInstanceOf(CannotStartException.class)
          .hasMessageContaining("no-such-commit cannot be checked out")
          .hasMessageContaining("invalid reference");
    }
    try (var broken = new OtherBuild(home, "HEAD~1")) {
      assertThatThrownBy(broken::launcher)
          .isInstanceOf(CannotStartException.class)
          .hasMessageContaining("HEAD~1 cannot be built");
    }
  }

  @Test
  void what_was_closed_builds_nothing() {
    var build = new OtherBuild(home, "HEAD");
    build.close();

    assertThatThrownBy(build::launcher).hasMessageContaining("Stopped before the end");
  }

  private void launcher(String line) throws IOException {
    var file = Files.createDirectories(home.resolve("node")).resolve("skein");
    Files.writeString(file, "#!/bin/sh\n" + line + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private void commit(String subject) throws Exception {
    git("add", ".");
    git(
        "-c",
        "user.name=bench",
        "-c",
        "user.email=bench@example.com",
        "commit",
        "--quiet",
        "-m",
        subject);
  }

  private String git(String... arguments) throws Exception {
    var command = new ArrayList<>(List.of("git", "-C", home.toString()));
    command.addAll(List.of(arguments));
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }
}
