package skein.activities;

import java.util.List;
import java.util.Map;
import skein.codecs.JsonText;
import skein.model.StimulusHash;

/**
 * Makes a link, runs its body, such as a mail with the link, and waits until the link is used or
 * expires. Parts of the body that still run then are cancelled.
 */
final class GenerateBookmarkTriggerUrl implements Activity {
  private static final String TYPE = "Skein.GenerateBookmarkTriggerUrl";
  private static final String EXPIRE = "$expire";
  private static final String EXPIRED = "Expired";

  private static final Input LIFETIME =
      Input.of("Lifetime", "TimeSpan")
          .described("How long the link works; empty is as long as tokens.lifetime-default says.");
  private static final Output URL = new Output("Url", "String");
  private static final Port BODY = Port.of("body");
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of(
              TYPE, "HTTP", "Makes a link, runs its body and waits until the link is used.")
          .with(LIFETIME)
          .with(URL, Output.RESULT)
          .with(BODY)
          .withOutcomes(ActivityDescriptor.DONE, EXPIRED);

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public void execute(ActivityContext context) {
    var lifetime = context.duration(LIFETIME);
    var payload = Map.<String, Object>of("execution", (long) context.execution());
    var hash = StimulusHash.of(TYPE, JsonText.canonical(payload), context.instanceId().value());
    var bookmark = context.await(Wait.forStimulus(TYPE, hash, payload));
    var link = context.resumeLink(bookmark, lifetime.isZero() ? null : lifetime);
    var expiry =
        Wait.until(
            link.expiresAt(),
            Stimuli.LINK_EXPIRY,
            Map.of("resumeAt", link.expiresAt().toString()),
            context.execution());
    context.await(expiry.tagged(EXPIRE));
    context.output(URL, link.url());
    var body = context.node().child(BODY);
    if (body != null) {
      context.schedule(body);
    }
  }

  @Override
  public void resume(ActivityContext context, Resumption resumption) {
    if (EXPIRE.equals(resumption.tag())) {
      context.complete(EXPIRED);
      return;
    }
    context.output(Output.RESULT, resumption.input());
    context.complete();
  }

  @Override
  public void childCompleted(ActivityContext context, Child child, List<String> outcomes) {
    // The link is still waited for.
  }
}
