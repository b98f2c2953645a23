package skein.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import skein.identity.Authoriser.Verdict;

class PermissionsTest {
  @ParameterizedTest
  @CsvSource({
    "*, read:workflow-definitions, true",
    "*, ManageWorkflowRuntime, true",
    "read:*, read:workflow-definitions, true",
    "read:*, read:user-tasks:all, true",
    "read:user-tasks:*, read:user-tasks:all, true",
    "read:user-tasks, read:user-tasks:all, false",
    "read:user-tasks:all, read:user-tasks, false",
    "read:*, write:workflow-definitions, false",
    "read:workflow-definitions, read:workflow-definitions, true",
    "read:workflow, read:workflow-definitions, false",
    "READ:workflow-definitions, read:workflow-definitions, false"
  })
  void a_star_stands_for_all_that_begins_as_what_is_before_it(
      String granted, String asked, boolean allowed) {
    assertThat(new Permissions(Set.of(granted)).allows(asked)).isEqualTo(allowed);
  }

  @Test
  void a_set_covers_another_when_nothing_is_missing() {
    var reading = new Permissions(Set.of("read:*"));

    assertThat(reading.covers(new Permissions(Set.of("read:audit", "read:user")))).isTrue();
    assertThat(reading.covers(new Permissions(Set.of("read:audit", "exec:x")))).isFalse();
    assertThat(reading.covers(Permissions.ALL)).isFalse();
    assertThat(Permissions.ALL.covers(reading)).isTrue();
    assertThat(new Permissions(Set.of("read:audit")).covers(reading)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"*", "read:*", "ManageWorkflowRuntime", "read:user-tasks:all", "a:b:c:d:*"})
  void names_of_permissions_are_words_with_colons(String name) {
    assertThat(Permissions.isName(name)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "**", "*:read", "read:", "read: x", "a:*:b", "a\nb", ":a"})
  void others_are_not(String name) {
    assertThat(Permissions.isName(name)).isFalse();
  }

  @Test
  void what_is_missing_is_named_and_strangers_are_asked_who_they_are() {
    var both = Requirement.oneOf("write:a").and("publish:a", "publish:all");
    var writer = new Caller.User("w", List.of(), new Permissions(Set.of("write:a")));

    assertThat(Authoriser.decide(writer, both)).isEqualTo(new Verdict.Forbidden("publish:a"));
    assertThat(Authoriser.decide(writer, Requirement.SIGNED_IN)).isEqualTo(new Verdict.Allowed());
    assertThat(Authoriser.decide(Caller.Anonymous.INSTANCE, Requirement.SIGNED_IN))
        .isEqualTo(new Verdict.Unauthenticated());
    assertThat(Authoriser.decide(Caller.Anonymous.INSTANCE, both))
        .isEqualTo(new Verdict.Unauthenticated());
    assertThat(Authoriser.decide(Caller.Anonymous.INSTANCE, Requirement.NOTHING))
        .isEqualTo(new Verdict.Allowed());
  }

  @Test
  void only_administrators_may_do_everything() {
    for (var role : BuiltInRole.values()) {
      assertThat(role.permissions().covers(Permissions.ALL)).isEqualTo(role == BuiltInRole.ADMIN);
      assertThat(role.permissions().names()).allMatch(Permissions::isName);
      assertThat(BuiltInRole.named(role.wireName())).contains(role);
    }
  }
}
