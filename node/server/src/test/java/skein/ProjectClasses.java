package skein;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;

/** All classes of the project but those of tests, read once for all tests of a process. */
final class ProjectClasses {
  private static final JavaClasses ALL =
      new ClassFileImporter().withImportOption(new WithoutTests()).importPackages("skein");

  private ProjectClasses() {}

  static JavaClasses all() {
    return ALL;
  }
}
