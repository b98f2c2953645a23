package skein.execution;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.Objects;
import skein.burst.BurstInputs;
import skein.burst.LongBurstException;
import skein.codecs.ResumeToken;
import skein.decisions.Decide;
import skein.decisions.Decision;
import skein.decisions.DecisionContext;
import skein.execution.StateLoader.Loaded;
import skein.loop.Blocking;
import skein.loop.Blocking.Owner;
import skein.loop.EventLoop;
import skein.messages.Command;

/**
 * Has commands decided: on the event loop where that is quick, elsewhere where a script or the
 * check of a form may take long. Confined to one event loop.
 */
final class Decider {
  /** Steps that take no longer on an event loop than others can wait. */
  private static final int QUICK_STEPS = 500;

  /** Processor time for which others can wait, however few the steps that take it. */
  private static final Duration QUICK_TIME = Duration.ofMillis(10);

  private final EventLoop loop;
  private final Blocking scripts;
  private final ExecutionDependencies dependencies;
  private final StateLoader loader;
  private final Decide decide;

  /** Gives up what would hold the event loop. */
  private final Decide stepLimitedDecide;

  Decider(
      EventLoop loop, Blocking scripts, ExecutionDependencies dependencies, StateLoader loader) {
    this.loop = loop;
    this.scripts = scripts;
    this.dependencies = dependencies;
    this.loader = loader;
    var burst = dependencies.deciding().burst();
    var grace = dependencies.options().timers().grace();
    var forms = dependencies.options().forms();
    this.decide = new Decide(burst, grace, forms);
    this.stepLimitedDecide = new Decide(burst.quick(QUICK_STEPS, QUICK_TIME), grace, forms);
  }

  /** Fails with the refusal. */
  Future<Decision> decide(Work work, Loaded loaded) {
    loop.check();
    var command = work.command();
    return loader
        .supplement(command, loaded.instance())
        .compose(supplement -> {
          boolean answerable = work.pendingReply().isAnswerable();
          var context =
              new DecisionContext(
                  inputs(work), answerable, supplement.targets(), supplement.past());
          return decide(command, loaded, context);
        });
  }

  BurstInputs inputs(Work work) {
    loop.check();
    return new BurstInputs(
        dependencies.clock().instant(),
        dependencies.deciding().random().nextLong(),
        work.commandId(),
        () -> tokenSecret(work.command()));
  }

  private Future<Decision> decide(Command command, Loaded loaded, DecisionContext context) {
    var graph = loaded.graph();
    boolean mayBlock = graph != null && graph.mayBlock();
    if (mayBlock || Decide.checksForm(command, loaded.instance())) {
      return decideElsewhere(command, loaded, context);
    }
    try {
      return Future.succeededFuture(
          stepLimitedDecide.decide(command, loaded.instance(), graph, context));
    } catch (LongBurstException e) {
      return decideElsewhere(command, loaded, context);
    } catch (RuntimeException | StackOverflowError | LinkageError e) {
      return Future.failedFuture(e); // The lane must continue whatever happens here.
    }
  }

  private Future<Decision> decideElsewhere(
      Command command, Loaded loaded, DecisionContext context) {
    return loop.bring(
            scripts.run(
                definition(loaded),
                () -> decide.decide(command, loaded.instance(), loaded.graph(), context)))
        .map(Objects::requireNonNull);
  }

  /** In the group of its tenant. */
  private static Owner definition(Loaded loaded) {
    var graph = loaded.graph();
    var instance = loaded.instance();
    var ref = graph != null ? graph.ref() : instance != null ? instance.definition() : null;
    return ref == null ? new Owner("", "") : new Owner(ref.tenant(), ref.definitionId());
  }

  /** The same in every attempt, where the sender of the command has drawn it. */
  private byte[] tokenSecret(Command command) {
    var context = command instanceof Command.MintToken mint ? FirstReply.secretOf(mint) : null;
    if (context != null) {
      return context;
    }
    var secret = new byte[ResumeToken.SECRET_BYTES];
    dependencies.deciding().random().nextBytes(secret);
    return secret;
  }
}
