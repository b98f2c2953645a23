package skein.expressions;

import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import liqp.Insertion;
import liqp.Insertions;
import liqp.TemplateContext;
import liqp.blocks.Block;
import liqp.blocks.Capture;
import liqp.blocks.Comment;
import liqp.blocks.Cycle;
import liqp.blocks.For;
import liqp.blocks.If;
import liqp.blocks.Raw;
import liqp.blocks.Tablerow;
import liqp.blocks.Unless;
import liqp.nodes.BlockNode;
import liqp.nodes.LNode;
import liqp.tags.Assign;
import liqp.tags.Break;
import liqp.tags.Continue;
import liqp.tags.Decrement;
import liqp.tags.Increment;
import org.jspecify.annotations.Nullable;

/** The tags that templates may use: those that read no file. */
final class LiquidTags {
  private static final Map<String, Insertion> ALL =
      Map.ofEntries(
          Map.entry("assign", new Assign()),
          Map.entry("break", new Break()),
          Map.entry("capture", new Capture()),
          Map.entry("case", new Case()),
          Map.entry("comment", new Comment()),
          Map.entry("continue", new Continue()),
          Map.entry("cycle", new Cycle()),
          Map.entry("decrement", new Decrement()),
          Map.entry("for", new For()),
          Map.entry("if", new If()),
          Map.entry("increment", new Increment()),
          Map.entry("raw", new Raw()),
          Map.entry("tablerow", new Tablerow()),
          Map.entry("unless", new Unless()));

  static final Insertions INSERTIONS = Insertions.of(ALL);

  /** For {@code macro} and {@code echo} {@link LiquidTokens} makes other tokens. */
  static final Set<String> BLOCKS = names(true, "macro");

  static final Set<String> TAGS = names(false, "echo", "from", "render");

  /** Tags that read other templates, of which there are none. */
  private static final Set<String> REFUSED = Set.of("from", "include", "render");

  private static final Set<String> PARTS = Set.of("else", "elsif", "when");

  private LiquidTags() {}

  private static Set<String> names(boolean blocks, String... more) {
    return Stream.concat(
            ALL.entrySet().stream()
                .filter(entry -> entry.getValue() instanceof Block == blocks)
                .map(Map.Entry::getKey),
            Stream.of(more))
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Whether a tag or a part of one begins with the word. */
  static boolean begins(String word) {
    return BLOCKS.contains(word)
        || TAGS.contains(word)
        || PARTS.contains(word)
        || REFUSED.contains(word)
        || (word.startsWith("end") && BLOCKS.contains(word.substring(3)));
  }

  static boolean isRefused(String tag) {
    return REFUSED.contains(tag);
  }

  /** Compares as {@code ==} does, and counts it; an else comes as one block after the last. */
  private static final class Case extends Block {
    Case() {
      super("case");
    }

    @Override
    public @Nullable Object render(TemplateContext context, LNode... nodes) {
      var run = LiquidRun.of(context);
      var value = nodes[0].render(context);
      var hit = false;
      for (var i = 1; i < nodes.length; i++) {
        var otherwise = i == nodes.length - 2 && nodes[i].equals(nodes[0]);
        if (!(nodes[i] instanceof BlockNode)) {
          hit |= otherwise || LiquidValues.equal(run.budget(), value, nodes[i].render(context));
        } else if (hit) {
          return nodes[i].render(context);
        }
      }
      return null;
    }
  }
}
