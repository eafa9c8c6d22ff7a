package dev.outbox.jdbc;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Each package knows only those that it names here. */
class LayeringTest {
  private static final String INTERNAL = "dev.outbox.jdbc.internal.";
  private static final JavaClasses JDBC =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.outbox.jdbc");

  private static final Map<String, String[]> FLOORS = new LinkedHashMap<>();

  static {
    floor("session");
    floor("message", "session");
    floor("moves", "message", "session");
    floor("ids", "moves", "message", "session");
    floor("reference", "message");
    floor("schema", "session");
    floor("once", "moves", "message", "session");
    floor("operate", "moves", "message", "session");
    floor("cluster", "moves", "message", "session");
    floor("lanes", "operate", "cluster", "ids", "moves", "message", "session");
    floor("rows", "operate", "lanes", "ids", "moves", "message", "session");
  }

  private static void floor(String name, String... below) {
    FLOORS.put(name, below);
  }

  private static final ArchRule STAGES = stages(INTERNAL);
  private static final ArchRule DOCTOR =
      layeredArchitecture()
          .consideringOnlyDependenciesInAnyPackage(INTERNAL + "doctor..")
          .layer("doctor")
          .definedBy(INTERNAL + "doctor")
          .layer("probe")
          .definedBy(INTERNAL + "doctor.probe")
          .layer("base")
          .definedBy(INTERNAL + "doctor.base")
          .whereLayer("doctor")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("probe")
          .mayOnlyAccessLayers("base")
          .whereLayer("base")
          .mayNotAccessAnyLayer();

  private static ArchRule stages(String root) {
    LayeredArchitecture rule =
        layeredArchitecture()
            .consideringOnlyDependenciesInAnyPackage(root + "session", packages(root));
    for (String name : FLOORS.keySet()) {
      rule = rule.layer(name).definedBy(root + name);
    }
    for (Map.Entry<String, String[]> floor : FLOORS.entrySet()) {
      var layer = rule.whereLayer(floor.getKey());
      boolean lowest = floor.getValue().length == 0;
      rule = lowest ? layer.mayNotAccessAnyLayer() : layer.mayOnlyAccessLayers(floor.getValue());
    }
    return rule;
  }

  private static String[] packages(String root) {
    return FLOORS.keySet().stream().map(root::concat).toArray(String[]::new);
  }

  @Test
  void a_stage_of_the_store_knows_only_those_below_it() {
    STAGES.check(JDBC);
  }

  @Test
  void the_doctor_asks_the_probes_and_not_the_other_way_round() {
    DOCTOR.check(JDBC);
  }
}
