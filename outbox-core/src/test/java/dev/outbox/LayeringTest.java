package dev.outbox;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.outbox.internal.relay.lane.ClaimedLane;
import dev.outbox.internal.relay.lane.LaneRun;
import dev.outbox.internal.relay.lane.Lanes;
import dev.outbox.internal.relay.lane.OwnedLanes;
import dev.outbox.internal.relay.lane.ReadableLane;
import dev.outbox.internal.relay.lane.VisiblePart;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The rules of layout and names; each is also shown to refuse a class that breaks it. */
class LayeringTest {
  private static final JavaClasses CORE =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.outbox");

  private static final ArchRule FLOW =
      layeredArchitecture()
          .consideringOnlyDependenciesInAnyPackage("dev.outbox..")
          .withOptionalLayers(true)
          .layer("doors")
          .definedBy("dev.outbox", "dev.outbox.cluster")
          .layer("enqueue")
          .definedBy("dev.outbox.internal.enqueue")
          .layer("operate")
          .definedBy("dev.outbox.internal.operate")
          .layer("relay")
          .definedBy("dev.outbox.internal.relay..")
          .layer("spi")
          .definedBy("dev.outbox.spi..")
          .layer("publish")
          .definedBy("dev.outbox.publish", "dev.outbox.internal.publish..")
          .layer("json")
          .definedBy("dev.outbox.json")
          .layer("message")
          .definedBy(
              "dev.outbox.message..", "dev.outbox.internal.text", "dev.outbox.internal.connection")
          .whereLayer("message")
          .mayOnlyAccessLayers("doors")
          .whereLayer("json")
          .mayOnlyAccessLayers("message")
          .whereLayer("publish")
          .mayOnlyAccessLayers("message", "doors")
          .whereLayer("spi")
          .mayOnlyAccessLayers("message", "doors")
          .whereLayer("relay")
          .mayOnlyAccessLayers("message", "publish", "spi", "doors")
          .whereLayer("enqueue")
          .mayOnlyAccessLayers("message", "spi", "doors")
          .whereLayer("operate")
          .mayOnlyAccessLayers("message", "publish", "spi", "doors")
          .ensureAllClassesAreContainedInArchitecture();

  /** Of the doors the rooms behind them know the values only. */
  private static final ArchRule DOORS =
      noClasses()
          .that()
          .resideInAnyPackage(
              "dev.outbox.message..",
              "dev.outbox.json",
              "dev.outbox.publish",
              "dev.outbox.internal.publish..",
              "dev.outbox.spi..",
              "dev.outbox.internal.relay..")
          .should()
          .dependOnClassesThat()
          .belongToAnyOf(Outbox.class, Relay.class, Inbox.class, Transactions.class);

  private static final String RELAY = "dev.outbox.internal.relay";

  /** Each stage knows only those below it, and none beside it. */
  private static final ArchRule STAGES =
      layeredArchitecture()
          .consideringOnlyDependenciesInAnyPackage(RELAY + "..")
          .layer("top")
          .definedBy(RELAY)
          .layer("cluster")
          .definedBy(RELAY + ".cluster")
          .layer("settle")
          .definedBy(RELAY + ".settle")
          .layer("read")
          .definedBy(RELAY + ".read")
          .layer("lane")
          .definedBy(RELAY + ".lane")
          .layer("batch")
          .definedBy(RELAY + ".batch")
          .layer("flight")
          .definedBy(RELAY + ".flight")
          .layer("topic")
          .definedBy(RELAY + ".topic")
          .layer("base")
          .definedBy(RELAY + ".base")
          .layer("record")
          .definedBy(RELAY + ".record")
          .whereLayer("top")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("cluster")
          .mayOnlyAccessLayers("settle", "lane", "base", "record")
          .whereLayer("settle")
          .mayOnlyAccessLayers("lane", "batch", "flight", "base", "record")
          .whereLayer("read")
          .mayOnlyAccessLayers("lane", "batch", "flight", "topic", "base", "record")
          .whereLayer("lane")
          .mayOnlyAccessLayers("batch", "flight", "base", "record")
          .whereLayer("batch")
          .mayOnlyAccessLayers("flight", "topic", "base", "record")
          .whereLayer("flight")
          .mayOnlyAccessLayers("base", "record")
          .whereLayer("topic")
          .mayOnlyAccessLayers("base", "record")
          .whereLayer("base")
          .mayOnlyAccessLayers("record")
          .whereLayer("record")
          .mayNotAccessAnyLayer();

  private static final DescribedPredicate<JavaClass> PARTS_OF_A_LANE =
      resideInAPackage(RELAY + ".lane")
          .and(
              not(
                  belongToAnyOf(
                      OwnedLanes.class,
                      Lanes.class,
                      LaneRun.class,
                      ReadableLane.class,
                      ClaimedLane.class)))
          .as("are parts of a lane");

  /** Who wants something of a lane asks the lane: nobody else knows what it is made of. */
  private static final ArchRule LANE =
      noClasses()
          .that()
          .resideOutsideOfPackage(RELAY + ".lane")
          .should()
          .dependOnClassesThat(PARTS_OF_A_LANE)
          .orShould()
          .accessTargetWhere(
              describe(
                  "it returns a part of a lane",
                  access ->
                      access.getTarget() instanceof CodeUnitAccessTarget unit
                          && PARTS_OF_A_LANE.test(unit.getRawReturnType())));

  private static final ArchRule JACKSON =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.outbox.json")
          .and()
          .haveNameNotMatching("dev\\.outbox\\.internal\\.text\\.Json(Syntax|Event).*")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("com.fasterxml..");

  private static final ArchRule JACKSON_OBJECTS =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.outbox.json")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "com.fasterxml.jackson.databind..", "com.fasterxml.jackson.datatype..");

  /** Those of a relay, and the one of a publisher's window, which knows no relay. */
  private static final ArchRule THREADS =
      noClasses()
          .that()
          .haveNameNotMatching(
              "dev\\.outbox\\.internal\\.(relay\\.RelayThreads(\\$.*)?|publish\\.pace\\.Window)")
          .should()
          .callConstructorWhere(target(owner(assignableTo(Thread.class))))
          .orShould()
          .dependOnClassesThat()
          .belongToAnyOf(Executors.class, ThreadPoolExecutor.class);

  private static final ArchRule NAMES =
      classes().that().areTopLevelClasses().or().areMemberClasses().should(haveAName());

  @Test
  void packages_depend_along_the_flow_only() {
    FLOW.check(CORE);
  }

  @Test
  void behind_the_doors_nobody_knows_them() {
    DOORS.check(CORE);
  }

  @Test
  void a_stage_of_the_relay_knows_only_those_below_it() {
    STAGES.check(CORE);
  }

  @Test
  void nobody_else_knows_the_parts_of_a_lane() {
    LANE.check(CORE);
  }

  @Test
  void only_the_codec_knows_Jackson_and_two_texts_its_parser_and_its_generator() {
    JACKSON.check(CORE);
    JACKSON_OBJECTS.check(CORE);
  }

  @Test
  void two_files_create_threads() {
    THREADS.check(CORE);
  }

  @Test
  void no_type_has_a_name_that_says_nothing() {
    NAMES.check(CORE);
  }

  @Test
  void the_port_of_databases_is_experimental_and_no_other_package_is() {
    assertThat(packages(each -> each.isAnnotatedWith(Experimental.class)))
        .isNotEmpty()
        .isEqualTo(packages(each -> each.getName().startsWith("dev.outbox.spi")));
  }

  private static Set<String> packages(Predicate<JavaPackage> fit) {
    return CORE.stream()
        .map(JavaClass::getPackage)
        .filter(fit)
        .map(JavaPackage::getName)
        .collect(Collectors.toSet());
  }

  @Test
  void classes_that_break_the_rules_are_refused() {
    JavaClasses broken =
        new ClassFileImporter().importClasses(ThreadHelper.class, OutboxThing.class);

    for (ArchRule rule : Set.of(JACKSON, JACKSON_OBJECTS, THREADS, NAMES)) {
      assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> rule.check(broken));
    }
    JavaClasses upwards = new ClassFileImporter().importPackages("dev.outbox.message.broken");
    assertThat(upwards).isNotEmpty();
    assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> FLOW.check(upwards));
    for (Class<?> reaching : Set.of(KnowsAPart.class, AsksForAPart.class)) {
      JavaClasses into = new ClassFileImporter().importClasses(reaching);
      assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> LANE.check(into));
    }
  }

  static final class ThreadHelper {
    Object json = new ObjectMapper();

    Thread start() {
      return new Thread(() -> {});
    }
  }

  static final class OutboxThing {}

  static final class KnowsAPart {
    VisiblePart part = new VisiblePart();

    VisiblePart part() {
      return part;
    }
  }

  static final class AsksForAPart {
    boolean has(KnowsAPart lane) {
      return lane.part() != null;
    }
  }

  private static ArchCondition<JavaClass> haveAName() {
    Pattern banned =
        Pattern.compile(
            ".*(Manager|Helper|Utils?|Service|Impl|Abstract|Base|Default|Processor)(?![a-z]).*");
    Set<String> prefixed = Set.of("Outbox", "OutboxStore", "OutboxException");
    return new ArchCondition<>("not have a banned name") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        String name = type.getSimpleName();
        if (banned.matcher(name).matches()
            || (name.startsWith("Outbox") && !prefixed.contains(name))) {
          events.add(SimpleConditionEvent.violated(type, type.getName() + " has a banned name"));
        }
      }
    };
  }
}
