package skein.work;

import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import skein.activities.Activity;
import skein.spi.CustomActivity;

/** The activities that other jars bring. Immutable. */
public final class CustomActivities {
  private final List<CustomActivityAdapter<?, ?>> all;

  private CustomActivities(List<CustomActivityAdapter<?, ?>> all) {
    this.all = List.copyOf(all);
  }

  /**
   * Those of the class path and of the jars in a folder; blocks.
   *
   * @param directory null: of the class path alone
   * @throws IllegalArgumentException for one that cannot be used
   */
  public static CustomActivities load(@Nullable Path directory) {
    var parent = CustomActivities.class.getClassLoader();
    return from(directory == null ? parent : new URLClassLoader(jars(directory), parent));
  }

  static CustomActivities from(@Nullable ClassLoader loader) {
    var found = new ArrayList<CustomActivityAdapter<?, ?>>();
    for (CustomActivity<?, ?> own : ServiceLoader.load(CustomActivity.class, loader)) {
      found.add(adapter(own));
    }
    return new CustomActivities(found);
  }

  private static <I extends Record, O extends Record> CustomActivityAdapter<I, O> adapter(
      CustomActivity<I, O> own) {
    return new CustomActivityAdapter<>(own);
  }

  private static URL[] jars(Path directory) {
    try (var files = Files.list(directory)) {
      return files
          .filter(file -> file.toString().endsWith(".jar"))
          .sorted()
          .map(CustomActivities::url)
          .toArray(URL[]::new);
    } catch (IOException e) {
      throw new UncheckedIOException("The folder of activities cannot be read: " + directory, e);
    }
  }

  private static URL url(Path file) {
    try {
      return file.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(file.toString(), e);
    }
  }

  public Collection<? extends Activity> activities() {
    return all;
  }

  /** The names of their types. */
  public Set<String> types() {
    return all.stream().map(CustomActivityAdapter::type).collect(Collectors.toUnmodifiableSet());
  }

  /** The performers of their work; {@code secrets}: that inputs may be, by name. */
  public Worker worker(Vertx vertx, SecretSource secrets) {
    return new CustomWorker(vertx, all, secrets);
  }
}
