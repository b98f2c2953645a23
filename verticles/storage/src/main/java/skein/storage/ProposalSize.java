package skein.storage;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonLimits;
import skein.model.Transition;

/** About how many bytes a proposal adds to a statement beside the state that it leads to. */
final class ProposalSize {
  /** The size of the ids and times of a journal entry, a bookmark or a timer. */
  private static final int ENTRY = 300;

  private long size;
  private final long enough;

  private ProposalSize(long enough) {
    this.enough = enough;
  }

  /** Counts no further once it is past {@code enough}. */
  static long of(Proposal proposal, long enough) {
    var count = new ProposalSize(enough);
    count.add(proposal.transition());
    var reply = proposal.reply();
    return count.size + (reply == null ? 0 : reply.length());
  }

  /** The size of a JSON value; counts no further once it is past {@code enough}. */
  static long of(@Nullable Object value, long enough) {
    var count = new ProposalSize(enough);
    count.add(value, 0);
    return count.size;
  }

  private void add(Transition transition) {
    for (var entry : transition.journal()) {
      size += ENTRY;
      add(entry.message(), 0);
      add(entry.data(), 0);
    }
    for (var bookmark : transition.made()) {
      size += ENTRY;
      add(bookmark.payload(), 0);
    }
    for (var timer : transition.timersMade()) {
      size += ENTRY;
      add(timer.payload(), 0);
    }
    var kept = transition.kept();
    size += kept == null ? 0 : kept.reply().length;
  }

  /** By forEach: unmodifiable maps make an object of each entry that is iterated over. */
  private void addMembers(Map<?, ?> members, int depth) {
    if (!members.isEmpty()) {
      members.forEach((name, member) -> {
        add(name, depth);
        add(member, depth);
      });
    }
  }

  private void add(@Nullable Object value, int depth) {
    size += value instanceof String text ? text.length() + 2L : 8;
    if (size > enough || depth > JsonLimits.DEPTH_CEILING) { // Deeper ones are not written.
      return;
    }
    if (value instanceof Map<?, ?> map) {
      addMembers(map, depth + 1);
    } else if (value instanceof List<?> list) {
      for (var element : list) {
        if (size > enough) {
          return;
        }
        add(element, depth + 1);
      }
    }
  }
}
