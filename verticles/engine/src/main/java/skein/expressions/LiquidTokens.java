package skein.expressions;

import java.util.ArrayDeque;
import java.util.Deque;
import liqp.org.antlr.v4.runtime.CharStream;
import liqp.org.antlr.v4.runtime.CommonToken;
import liqp.org.antlr.v4.runtime.Token;
import liqp.org.antlr.v4.runtime.TokenFactory;
import liqp.org.antlr.v4.runtime.TokenSource;
import liqp.org.antlr.v4.runtime.WritableToken;
import liquid.parser.v4.LiquidLexer;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of a template, where what Liqp's grammar lacks is said in what it has: {@code echo} is
 * an output, {@code macro} a condition, and {@code f(a, b = 1)} is {@code f[a][b == 1]}. Tokens
 * that were made so are {@link Made}.
 */
final class LiquidTokens implements TokenSource {
  private static final String ECHO = "echo";
  private static final String MACRO = "macro";
  private static final String END_MACRO = "endmacro";

  /** The meaning of a token that was made. */
  enum Role {
    ECHO,
    MACRO,
    CALL,
    ARGUMENT,
    NO_ARGUMENT,
    NAME,
    END
  }

  static final class Made extends CommonToken {
    private final Role role;

    Made(Token original, int type, Role role) {
      super(original);
      setType(type);
      setChannel(Token.DEFAULT_CHANNEL);
      this.role = role;
    }
  }

  /** Whether the token was made for that. */
  static boolean is(@Nullable Token token, Role role) {
    return token instanceof Made made && made.role == role;
  }

  /** Columns, counted from 0, as the source has them. */
  interface Columns {
    int of(int line, int column);
  }

  private final LiquidLexer lexer;
  private final Columns columns;
  private final Deque<Token> waiting = new ArrayDeque<>();

  /** For each bracket that is open, whether it is that of a call. */
  private final Deque<Boolean> brackets = new ArrayDeque<>();

  private int previous = Token.INVALID_TYPE;
  private boolean emptyCall;
  private boolean inEcho;

  LiquidTokens(LiquidLexer lexer, Columns columns) {
    this.lexer = lexer;
    this.columns = columns;
  }

  @Override
  public Token nextToken() {
    var known = waiting.poll();
    if (known != null) {
      return known;
    }
    var token = read();
    if (token.getChannel() != Token.DEFAULT_CHANNEL) {
      return token;
    }
    var made = made(token);
    previous = token.getType();
    return made;
  }

  private Token read() {
    var token = lexer.nextToken();
    if (token instanceof WritableToken writable) {
      writable.setCharPositionInLine(columns.of(token.getLine(), token.getCharPositionInLine()));
    }
    return token;
  }

  private Token made(Token token) {
    var noArgument = emptyCall;
    emptyCall = false;
    return switch (token.getType()) {
      case LiquidLexer.TagStart -> tag(token);
      case LiquidLexer.OutStart -> begin(token);
      case LiquidLexer.TagEnd -> {
        var end = inEcho ? new Made(token, LiquidLexer.OutEnd, Role.ECHO) : token;
        inEcho = false;
        yield end;
      }
      case LiquidLexer.OPar -> open(token, previous == LiquidLexer.Id);
      case LiquidLexer.OBr -> open(token, false);
      case LiquidLexer.CBr -> {
        brackets.poll();
        yield token;
      }
      case LiquidLexer.CPar -> close(token, noArgument);
      case LiquidLexer.Comma -> {
        if (!inCall()) {
          yield token;
        }
        waiting.add(new Made(token, LiquidLexer.OBr, Role.ARGUMENT));
        yield new Made(token, LiquidLexer.CBr, Role.END);
      }
      case LiquidLexer.EqSign -> inCall() ? new Made(token, LiquidLexer.Eq, Role.NAME) : token;
      default -> token;
    };
  }

  private boolean inCall() {
    return Boolean.TRUE.equals(brackets.peek());
  }

  private Token begin(Token token) {
    brackets.clear();
    return token;
  }

  private Token tag(Token start) {
    begin(start);
    var next = read();
    while (next.getChannel() != Token.DEFAULT_CHANNEL) {
      waiting.add(next);
      next = read();
    }
    if (next.getType() == LiquidLexer.SimpleTagId && next.getText().equals(ECHO)) {
      inEcho = true;
      return new Made(start, LiquidLexer.OutStart, Role.ECHO);
    }
    if (next.getType() == LiquidLexer.BlockId && next.getText().equals(MACRO)) {
      waiting.add(new Made(next, LiquidLexer.IfStart, Role.MACRO));
    } else if (next.getType() == LiquidLexer.EndBlockId && next.getText().equals(END_MACRO)) {
      waiting.add(new Made(next, LiquidLexer.IfEnd, Role.MACRO));
    } else {
      waiting.add(made(next));
    }
    return start;
  }

  private Token open(Token token, boolean call) {
    brackets.push(call);
    emptyCall = call;
    return call ? new Made(token, LiquidLexer.OBr, Role.CALL) : token;
  }

  private Token close(Token token, boolean noArgument) {
    if (!Boolean.TRUE.equals(brackets.poll())) {
      return token;
    }
    var end = new Made(token, LiquidLexer.CBr, Role.END);
    if (!noArgument) {
      return end;
    }
    waiting.add(end);
    return new Made(token, LiquidLexer.Nil, Role.NO_ARGUMENT);
  }

  @Override
  public int getLine() {
    return lexer.getLine();
  }

  @Override
  public int getCharPositionInLine() {
    return lexer.getCharPositionInLine();
  }

  @Override
  public CharStream getInputStream() {
    return lexer.getInputStream();
  }

  @Override
  public String getSourceName() {
    return lexer.getSourceName();
  }

  @Override
  public void setTokenFactory(TokenFactory<?> factory) {
    lexer.setTokenFactory(factory);
  }

  @Override
  public TokenFactory<? extends Token> getTokenFactory() {
    return lexer.getTokenFactory();
  }
}
