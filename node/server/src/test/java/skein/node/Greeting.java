package skein.node;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import skein.spi.CustomActivity;
import skein.spi.Step;
import skein.spi.WorkContext;

/** An activity of a jar that some nodes have; servers do not have it by themselves. */
public final class Greeting implements CustomActivity<Greeting.Guest, Greeting.Words> {
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

  /** Writes a jar of this activity. */
  static void pack(Path file) throws IOException {
    try (var jar = new JarOutputStream(Files.newOutputStream(file))) {
      for (var type : List.of(Greeting.class, Guest.class, Words.class)) {
        var name = type.getName().replace('.', '/') + ".class";
        try (var bytes = type.getClassLoader().getResourceAsStream(name)) {
          jar.putNextEntry(new ZipEntry(name));
          jar.write(Objects.requireNonNull(bytes).readAllBytes());
        }
      }
      jar.putNextEntry(new ZipEntry("META-INF/services/" + CustomActivity.class.getName()));
      jar.write(Greeting.class.getName().getBytes(StandardCharsets.UTF_8));
    }
  }
}
