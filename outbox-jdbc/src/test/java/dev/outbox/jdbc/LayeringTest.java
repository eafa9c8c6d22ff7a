package dev.outbox.jdbc;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each package knows only those that it names here, and each is here. */
class LayeringTest {
  private static final String ROOT = "dev.outbox.jdbc";
  private static final JavaClasses JDBC =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages(ROOT);

  /** Packages, with those that each may know. */
  private static final Map<String, String[]> FLOORS = new LinkedHashMap<>();

  static {
    FLOORS.put(ROOT + ".shape", new String[0]);
    FLOORS.put(ROOT + ".dialect", new String[0]);
    FLOORS.put(ROOT + ".sql", new String[] {ROOT + ".shape", ROOT + ".dialect"});
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
    floor("wakeup", "session");
    floor("doctor.base", "session");
    floor("doctor.probe", "doctor.base", "session");
    floor("doctor", "doctor.probe", "doctor.base", "ids", "schema", "session");
  }

  /** Statements, shapes and dialects are below them all. */
  private static void floor(String name, String... below) {
    Stream<String> rooms = Stream.of(below).map(LayeringTest::internal);
    Stream<String> texts = Stream.of(ROOT + ".sql", ROOT + ".shape", ROOT + ".dialect");
    FLOORS.put(internal(name), Stream.concat(rooms, texts).toArray(String[]::new));
  }

  private static String internal(String name) {
    return ROOT + ".internal." + name;
  }

  private static final ArchRule STAGES = stages();

  private static ArchRule stages() {
    LayeredArchitecture rule =
        layeredArchitecture()
            .consideringOnlyDependenciesInAnyPackage(ROOT + "..")
            .layer(ROOT)
            .definedBy(ROOT);
    for (String name : FLOORS.keySet()) {
      rule = rule.layer(name).definedBy(name);
    }
    for (Map.Entry<String, String[]> floor : FLOORS.entrySet()) {
      var layer = rule.whereLayer(floor.getKey());
      boolean lowest = floor.getValue().length == 0;
      rule = lowest ? layer.mayNotAccessAnyLayer() : layer.mayOnlyAccessLayers(floor.getValue());
    }
    return rule.ensureAllClassesAreContainedInArchitecture();
  }

  @Test
  void a_stage_of_the_store_knows_only_those_below_it_and_each_package_is_one() {
    STAGES.check(JDBC);
  }

  @Test
  void a_package_without_a_floor_is_refused() {
    JavaClasses strange = new ClassFileImporter().importPackages(ROOT + ".clusters");
    assertThat(strange).isNotEmpty();
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> STAGES.check(strange))
        .withMessageContaining("is not contained in architecture");
  }
}
