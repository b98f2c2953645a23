package skein.expressions;

import static skein.expressions.ExpressionException.SYNTAX_ERROR;

import java.util.regex.Pattern;
import liqp.TemplateParser;
import liqp.nodes.LNode;
import liqp.org.antlr.v4.runtime.BaseErrorListener;
import liqp.org.antlr.v4.runtime.CharStream;
import liqp.org.antlr.v4.runtime.CharStreams;
import liqp.org.antlr.v4.runtime.CommonTokenStream;
import liqp.org.antlr.v4.runtime.RecognitionException;
import liqp.org.antlr.v4.runtime.Recognizer;
import liqp.org.antlr.v4.runtime.Token;
import liqp.org.antlr.v4.runtime.misc.Interval;
import liquid.parser.v4.LiquidLexer;
import liquid.parser.v4.LiquidParser;
import org.jspecify.annotations.Nullable;

/** A template from its text. Every character and every token that the parser looks at counts. */
final class LiquidSource {
  /** The limit on each construct of one tag for which the parser recurses. */
  private static final int NESTED_MAX = 100;

  private static final Pattern NESTING =
      Pattern.compile(
          "\\{%-?\\s*(end)?(if|unless|for|case|capture|tablerow|macro)\\b|[(\\[]|\\b(or|and)\\b");

  private static final int SCANNED_PER_INSTRUCTION = 4;
  private static final int MESSAGE_CHARS_MAX = 300;

  private LiquidSource() {}

  /** Throws {@link ExpressionException} where the text does not parse. */
  static LNode parse(String source, Budget budget) {
    budget.spend(source.length() / SCANNED_PER_INSTRUCTION);
    var expanded = LiquidLines.expand(source);
    refuseNested(expanded.text());
    var lexer =
        new LiquidLexer(
            new CountedChars(CharStreams.fromString(expanded.text()), budget),
            true,
            false,
            false,
            LiquidTags.BLOCKS,
            LiquidTags.TAGS);
    lexer.removeErrorListeners();
    lexer.addErrorListener(new Errors(expanded::column));
    var parser =
        new LiquidParser(
            new CountedTokens(new LiquidTokens(lexer, expanded::column), budget),
            true,
            true,
            TemplateParser.ErrorMode.STRICT);
    parser.removeErrorListeners();
    parser.addErrorListener(new Errors((_, column) -> column));
    var nodes = new LiquidNodes();
    var template = nodes.visit(parser.parse());
    nodes.refuseUnknownMacros();
    return template;
  }

  /** Blocks inside blocks, and brackets and operators of the whole template between two tags. */
  private static void refuseNested(String source) {
    var matcher = NESTING.matcher(source);
    var blocks = 0;
    var inTag = 0;
    while (matcher.find()) {
      if (matcher.group(2) == null) {
        inTag++;
      } else {
        inTag = 0;
        blocks += matcher.group(1) == null ? 1 : -1;
      }
      if (blocks > NESTED_MAX || inTag > 10 * NESTED_MAX) {
        throw new BudgetExceededError("blocks or conditions nested too deep");
      }
    }
  }

  private static final class Errors extends BaseErrorListener {
    private final LiquidTokens.Columns columns;

    Errors(LiquidTokens.Columns columns) {
      this.columns = columns;
    }

    @Override
    public void syntaxError(
        Recognizer<?, ?> recognizer,
        @Nullable Object symbol,
        int line,
        int column,
        String message,
        @Nullable RecognitionException e) {
      var shown =
          message.length() > MESSAGE_CHARS_MAX
              ? message.substring(0, MESSAGE_CHARS_MAX) + "…"
              : message;
      throw new ExpressionException(SYNTAX_ERROR, shown, line, columns.of(line, column) + 1, null);
    }
  }

  private static final class CountedTokens extends CommonTokenStream {
    private final Budget budget;

    CountedTokens(LiquidTokens tokens, Budget budget) {
      super(tokens);
      this.budget = budget;
    }

    @Override
    public Token LT(int k) {
      budget.spend(1);
      return super.LT(k);
    }
  }

  private record CountedChars(CharStream chars, Budget budget) implements CharStream {
    @Override
    public void consume() {
      budget.spend(1);
      chars.consume();
    }

    @Override
    public int LA(int i) {
      return chars.LA(i);
    }

    @Override
    public String getText(Interval interval) {
      return chars.getText(interval);
    }

    @Override
    public int mark() {
      return chars.mark();
    }

    @Override
    public void release(int marker) {
      chars.release(marker);
    }

    @Override
    public int index() {
      return chars.index();
    }

    @Override
    public void seek(int index) {
      chars.seek(index);
    }

    @Override
    public int size() {
      return chars.size();
    }

    @Override
    public String getSourceName() {
      return chars.getSourceName();
    }
  }
}
