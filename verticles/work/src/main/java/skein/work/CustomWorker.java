package skein.work;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.Json;
import skein.activities.WorkOrder;
import skein.activities.WorkResult;
import skein.model.Effect;
import skein.spi.TryAgainException;
import skein.spi.WorkContext;

/** Does the work of activities from other jars, each piece on a virtual thread of its own. */
final class CustomWorker implements Worker {
  private final Vertx vertx;
  private final SecretSource secrets;
  private final Map<String, CustomActivityAdapter<?, ?>> byType = new HashMap<>();

  /** {@code secrets}: that inputs may be, by name. */
  CustomWorker(
      Vertx vertx, Collection<CustomActivityAdapter<?, ?>> activities, SecretSource secrets) {
    this.vertx = vertx;
    this.secrets = secrets;
    activities.forEach(activity -> byType.put(activity.type(), activity));
  }

  @Override
  public String kind() {
    return WorkOrder.OWN;
  }

  @Override
  public Future<WorkResult> perform(Effect.Work order) {
    var type = String.valueOf(order.request().get("type"));
    var activity = byType.get(type);
    if (activity == null) {
      return Future.succeededFuture(
          new WorkResult.Failed("NoWorker", "This node does not have " + type, true));
    }
    Promise<WorkResult> promise = Promise.promise();
    var context = vertx.getOrCreateContext();
    var thread =
        Thread.ofVirtual()
            .name("work-" + order.bookmarkId())
            .start(() -> {
              var result = result(activity, order);
              context.runOnContext(_ -> promise.complete(result));
            });
    long deadline = vertx.setTimer(order.timeout().toMillis(), _ -> thread.interrupt());
    return promise.future().onComplete(_ -> vertx.cancelTimer(deadline));
  }

  /** On a thread that may block. */
  private WorkResult result(CustomActivityAdapter<?, ?> activity, Effect.Work order) {
    var inputs = Json.object(order.request().get("inputs"));
    var named = Json.object(order.request().get("secrets"));
    var given = new LinkedHashMap<String, @Nullable Object>();
    if (inputs != null) {
      given.putAll(inputs);
    }
    var values = new ArrayList<String>();
    try {
      if (named != null) {
        named.forEach((input, name) -> {
          var secret = WorkRefusedException.secret(secrets, String.valueOf(name));
          given.put(input, secret);
          values.add(secret);
        });
      }
    } catch (WorkRefusedException e) {
      return e.result();
    }
    var result = result(activity, given, context(activity.type(), order));
    return values.isEmpty() ? result : hidden(result, UsedSecrets.of(values));
  }

  /** Also in outputs, which may repeat inputs. */
  private static WorkResult hidden(WorkResult result, UsedSecrets used) {
    return switch (result) {
      case WorkResult.Failed failed -> used.hiddenInFailure(failed);
      case WorkResult.Done(var value, var passing) -> {
        var hidden = Json.object(used.hiddenInJson(value));
        yield new WorkResult.Done(hidden == null ? value : hidden, passing);
      }
    };
  }

  private static WorkContext context(String type, Effect.Work order) {
    return new WorkContext(
        order.key(), order.attempt(), Instant.now().plus(order.timeout()), new NodeLogger(type));
  }

  private static WorkResult result(
      CustomActivityAdapter<?, ?> activity,
      Map<String, @Nullable Object> given,
      WorkContext context) {
    try {
      return new WorkResult.Done(activity.work(given, context), false);
    } catch (TryAgainException e) {
      return failed(e, "TryAgain", true);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return failed(e, "Timeout", true);
    } catch (Exception e) {
      return failed(e, e.getClass().getSimpleName(), false);
    } catch (LinkageError | StackOverflowError | AssertionError e) {
      return failed(e, e.getClass().getSimpleName(), false);
    }
  }

  private static WorkResult failed(Throwable e, String type, boolean passing) {
    var message = e.getMessage() == null ? e.getClass().getName() : e.getMessage();
    return new WorkResult.Failed(type, message, passing);
  }
}
