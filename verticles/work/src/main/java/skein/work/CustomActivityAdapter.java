package skein.work;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.Activity;
import skein.activities.ActivityContext;
import skein.activities.ActivityDescriptor;
import skein.activities.ActivityNode;
import skein.activities.FaultException;
import skein.activities.Input;
import skein.activities.Json;
import skein.activities.Output;
import skein.activities.Resumption;
import skein.activities.Stimuli;
import skein.activities.Wait;
import skein.activities.WorkOrder;
import skein.activities.WorkResult;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.expressions.Expressions;
import skein.model.SkeinException;
import skein.spi.About;
import skein.spi.CustomActivity;
import skein.spi.Default;
import skein.spi.Sensitive;
import skein.spi.Step;
import skein.spi.WorkContext;

/** An activity from another jar, as the engine sees it. */
final class CustomActivityAdapter<I extends Record, O extends Record> implements Activity {
  private final CustomActivity<I, O> own;
  private final RecordShape<I> inputs;
  private final RecordShape<O> outputs;
  private final Map<String, Input> inputsByName = new LinkedHashMap<>();
  private final Map<String, Output> outputsByName = new LinkedHashMap<>();
  private final ActivityDescriptor descriptor;

  /** Throws {@link IllegalArgumentException} for one that cannot be used, and says why. */
  CustomActivityAdapter(CustomActivity<I, O> own) {
    this.own = own;
    if (!own.type().matches("[A-Za-z_]\\w*(\\.[A-Za-z_]\\w*)+") || own.type().startsWith("Elsa.")) {
      throw new IllegalArgumentException(
          "\""
              + own.type()
              + "\" of "
              + own.getClass().getName()
              + " is not a valid type name such as Acme.ChargeCard");
    }
    inputs = new RecordShape<>(own.inputs());
    outputs = new RecordShape<>(own.outputs());
    for (var component : inputs.components()) {
      var given = component.getAnnotation(Default.class);
      var input =
          Input.declared(
              component.getName(),
              RecordShape.typeName(component.getType()),
              given == null ? null : json(given.value()));
      inputsByName.put(
          component.getName(),
          component.isAnnotationPresent(Sensitive.class) ? input.secret(Input.Secrecy.ALL) : input);
    }
    for (var component : outputs.components()) {
      outputsByName.put(
          component.getName(),
          new Output(component.getName(), RecordShape.typeName(component.getType())));
    }
    var about = own.getClass().getAnnotation(About.class);
    descriptor =
        ActivityDescriptor.of(
                own.type(),
                about == null ? "Own" : about.category(),
                about == null ? "" : about.description())
            .with(inputsByName.values().toArray(Input[]::new))
            .with(outputsByName.values().toArray(Output[]::new))
            .withOutcomes(own.outcomes().toArray(String[]::new));
  }

  private static @Nullable Object json(String text) {
    try {
      return JsonText.parse(text, JsonLimits.DEFAULT);
    } catch (SkeinException e) {
      throw new IllegalArgumentException("The default " + text + " is not JSON", e);
    }
  }

  String type() {
    return own.type();
  }

  @Override
  public ActivityDescriptor descriptor() {
    return descriptor;
  }

  @Override
  public void execute(ActivityContext context) {
    take(context, own.run(inputs.read(given(context))));
  }

  @Override
  public void resume(ActivityContext context, Resumption resumption) {
    var result = WorkResult.read(resumption.input());
    if (result != null) {
      var done = result.orFault();
      var values = Json.object(done.get("outputs"));
      complete(context, String.valueOf(done.get("outcome")), values == null ? Map.of() : values);
      return;
    }
    var input = resumption.input();
    var payload = input.containsKey("payload") ? input.get("payload") : input;
    take(context, own.resumed(inputs.read(given(context)), new Step.Resumed(payload)));
  }

  private Map<String, @Nullable Object> given(ActivityContext context) {
    var given = new LinkedHashMap<String, @Nullable Object>();
    inputsByName.forEach((name, input) -> given.put(name, context.get(input)));
    return given;
  }

  /** The names of secrets by input, for inputs that are secrets of the nodes. */
  private Map<String, @Nullable Object> secrets(ActivityNode node) {
    var secrets = new LinkedHashMap<String, @Nullable Object>();
    inputsByName.forEach((name, input) -> {
      var binding = node.input(input);
      if (binding != null && Expressions.isSecret(binding.expression())) {
        secrets.put(name, Expressions.secretName(binding.expression()));
      }
    });
    return secrets;
  }

  private void take(ActivityContext context, Step<O> step) {
    switch (step) {
      case Step.Done<O>(var outcome, var values) ->
          complete(context, outcome, outputs.write(values));
      case Step.WaitFor<O>(var name, var payload) -> {
        var kept = new LinkedHashMap<>(payload);
        kept.put("eventName", name);
        context.await(Wait.forStimulus(Stimuli.EVENT, Stimuli.event(name), kept));
      }
      case Step.Work<O>() ->
          context.perform(
              new WorkOrder(
                  WorkOrder.OWN,
                  Json.members(
                      "type",
                      own.type(),
                      "inputs",
                      given(context),
                      "secrets",
                      secrets(context.node())),
                  own.workTimeout()));
    }
  }

  private void complete(
      ActivityContext context, String outcome, Map<String, @Nullable Object> values) {
    if (!own.outcomes().contains(outcome)) {
      throw new FaultException(
          "UnknownOutcome",
          own.type() + " gave the outcome " + outcome + ", which it does not declare");
    }
    outputsByName.forEach((name, output) -> context.output(output, values.get(name)));
    context.complete(outcome);
  }

  /** On a thread that may block. */
  Map<String, @Nullable Object> work(Map<String, @Nullable Object> given, WorkContext context)
      throws Exception {
    var done = own.work(inputs.read(given), context);
    return Json.members("outcome", done.outcome(), "outputs", outputs.write(done.outputs()));
  }
}
