package skein.node;

import skein.spi.OwnActivity;
import skein.spi.Step;
import skein.spi.WorkContext;

/** An activity of a jar that some nodes have; servers do not have it by themselves. */
public final class Greeting implements OwnActivity<Greeting.Guest, Greeting.Words> {
  static final String TYPE = "Acme.Greeting";

  public record Guest(String name) {}

  public record Words(String text) {}

  @Override
  public String type() {
    return TYPE;
  }

  @Override
  public Class<Guest> inputs() {
    return Guest.class;
  }

  @Override
  public Class<Words> outputs() {
    return Words.class;
  }

  @Override
  public Step<Words> run(Guest guest) {
    return Step.work();
  }

  @Override
  public Step.Done<Words> work(Guest guest, WorkContext context) {
    return new Step.Done<>("Done", new Words("Good morning, " + guest.name()));
  }
}
