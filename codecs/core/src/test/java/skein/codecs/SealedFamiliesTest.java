package skein.codecs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import skein.messages.ClusterEvent;
import skein.messages.Command;
import skein.messages.Reply;
import skein.messages.Request;
import skein.model.Alteration;

/**
 * Whatever a family permits is among the samples, which the other tests write and read: Java 17 has
 * no switch that a compiler would refuse for what it leaves out.
 */
class SealedFamiliesTest {
  private static final List<Command> COMMANDS =
      Stream.concat(Samples.commands().stream(), Samples.commands2().stream()).toList();

  @Test
  void there_is_a_sample_of_each_message() {
    assertEach(
        Request.class,
        Stream.concat(Samples.requests().stream(), Samples.requests2().stream()).toList());
    assertEach(Command.class, COMMANDS);
    assertEach(
        Reply.class,
        Stream.concat(Samples.replies().stream(), Samples.replies2().stream()).toList());
    assertEach(ClusterEvent.class, Samples.clusterEvents());
  }

  @Test
  void there_is_a_sample_of_each_part_of_a_command() {
    assertEach(Alteration.class, parts(Command.Alter.class, Command.Alter::alterations));
    assertEach(Command.TaskAction.class, parts(Command.Task.class, task -> List.of(task.action())));
    assertEach(Command.Via.class, parts(Command.Resume.class, resume -> List.of(resume.via())));
  }

  private static <C, P> List<P> parts(Class<C> type, Function<C, List<P>> partsOf) {
    return COMMANDS.stream()
        .filter(type::isInstance)
        .map(type::cast)
        .flatMap(command -> partsOf.apply(command).stream())
        .toList();
  }

  private static void assertEach(Class<?> family, Collection<?> samples) {
    var permitted = List.of(Objects.requireNonNull(family.getPermittedSubclasses()));
    assertThat(samples.stream().<Class<?>>map(Object::getClass).distinct().toList())
        .as(family.getSimpleName())
        .containsAll(permitted);
  }
}
