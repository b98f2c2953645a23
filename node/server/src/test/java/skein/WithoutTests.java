package skein;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;

/** Leaves out the classes of tests, those in the jar that another module makes of them too. */
public final class WithoutTests implements ImportOption {
  private final ImportOption folders = new DoNotIncludeTests();

  @Override
  public boolean includes(Location location) {
    return folders.includes(location) && !location.contains("-tests.jar");
  }
}
