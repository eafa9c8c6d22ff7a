package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.tck.OutboxStoreContract;
import dev.outbox.testkit.Kit;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What users can call: the public signatures of every package that each module exports, against the
 * lists under {@code src/test/resources/digests}. A change of the API is a change of those files,
 * to be read in a review.
 *
 * <p>{@code -Doutbox.digests=write} writes them.
 */
class PublicApiTest {
  private static final Path FOLDER = Path.of("src/test/resources/digests");

  @ParameterizedTest
  @ValueSource(classes = {Outbox.class, JdbcStore.class, Kit.class, OutboxStoreContract.class})
  void signatures_are_those_that_were_reviewed(Class<?> ofModule) throws Exception {
    ModuleReference module = moduleOf(ofModule);
    String signatures = signatures(module);
    Path file = FOLDER.resolve("api-" + module.descriptor().name() + ".txt");
    if ("write".equals(System.getProperty("outbox.digests"))) {
      Files.createDirectories(FOLDER);
      Files.writeString(file, signatures);
    }
    assertThat(signatures.lines().toList()).isEqualTo(Files.readAllLines(file));
  }

  private static ModuleReference moduleOf(Class<?> type) throws URISyntaxException {
    Path place = Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    return ModuleFinder.of(place).findAll().iterator().next();
  }

  private static String signatures(ModuleReference module) throws IOException {
    Set<String> exported =
        module.descriptor().exports().stream()
            .filter(each -> !each.isQualified())
            .map(ModuleDescriptor.Exports::source)
            .collect(Collectors.toSet());
    try (ModuleReader reader = module.open();
        Stream<String> files = reader.list()) {
      return files
          .filter(file -> file.endsWith(".class") && !file.endsWith("-info.class"))
          .map(file -> file.substring(0, file.length() - 6).replace('/', '.'))
          .filter(name -> exported.contains(name.substring(0, name.lastIndexOf('.'))))
          .map(PublicApiTest::loaded)
          .filter(PublicApiTest::isVisible)
          .map(PublicApiTest::signatures)
          .sorted()
          .collect(Collectors.joining("\n"));
    }
  }

  private static Class<?> loaded(String name) {
    try {
      return Class.forName(name, false, PublicApiTest.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean isVisible(Class<?> type) {
    Class<?> outer = type.getDeclaringClass();
    return isVisible(type.getModifiers())
        && !type.isAnonymousClass()
        && (outer == null || isVisible(outer));
  }

  private static boolean isVisible(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  private static String signatures(Class<?> type) {
    String supertypes =
        Stream.concat(
                Stream.ofNullable(type.getGenericSuperclass()),
                Stream.of(type.getGenericInterfaces()))
            .map(each -> each.getTypeName())
            .filter(name -> !name.equals("java.lang.Object"))
            .collect(Collectors.joining(", "));
    return Stream.of(
            type.getDeclaredFields(), type.getDeclaredConstructors(), type.getDeclaredMethods())
        .flatMap(Stream::of)
        .map(Member.class::cast)
        .filter(member -> isVisible(member.getModifiers()) && !member.isSynthetic())
        .map(PublicApiTest::signature)
        .sorted()
        .map(line -> "  " + line + "\n")
        .collect(
            Collectors.joining(
                "",
                type.toGenericString() + (supertypes.isEmpty() ? "" : " : " + supertypes) + "\n",
                ""));
  }

  private static String signature(Member member) {
    return member instanceof Field field
        ? field.toGenericString()
        : ((Executable) member).toGenericString();
  }
}
