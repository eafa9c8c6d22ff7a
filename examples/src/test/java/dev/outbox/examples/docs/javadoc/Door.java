package dev.outbox.examples.docs.javadoc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** A public type that users meet, in its source file. */
record Door(Path source, Class<?> type) {
  private static final Path ROOT = Path.of("..");
  private static final List<String> PACKAGES =
      List.of(
          "outbox-core/src/main/java/dev/outbox",
          "outbox-core/src/main/java/dev/outbox/cluster",
          "outbox-core/src/main/java/dev/outbox/json",
          "outbox-core/src/main/java/dev/outbox/message",
          "outbox-core/src/main/java/dev/outbox/publish",
          "outbox-jdbc/src/main/java/dev/outbox/jdbc",
          "outbox-testkit/src/main/java/dev/outbox/testkit",
          "outbox-testkit/src/main/java/dev/outbox/testkit/assertj",
          "outbox-testkit/src/main/java/dev/outbox/testkit/junit",
          "outbox-testkit/src/main/java/dev/outbox/testkit/network");

  static List<Door> all() {
    return PACKAGES.stream().flatMap(Door::sources).map(Door::of).filter(Door::isPublic).toList();
  }

  private static Stream<Path> sources(String folder) {
    try (Stream<Path> files = Files.list(ROOT.resolve(folder))) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !file.endsWith("package-info.java"))
          .sorted()
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Door of(Path source) {
    String path = source.toString().replaceAll(".*/src/main/java/|\\.java$", "");
    try {
      ClassLoader loader = Door.class.getClassLoader();
      return new Door(source, Class.forName(path.replace('/', '.'), false, loader));
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  private boolean isPublic() {
    return Modifier.isPublic(type.getModifiers());
  }

  String name() {
    return type.getSimpleName();
  }

  List<String> examples() {
    return Stream.of(source, source.resolveSibling("package-info.java"))
        .flatMap(file -> JavadocExamples.of(file).stream())
        .toList();
  }

  /** The methods that need an example, as {@code dev.outbox.Relay.Builder.name}. */
  List<String> methods() {
    List<String> methods = new ArrayList<>();
    add(type, methods);
    return methods.stream().distinct().sorted().toList();
  }

  private static void add(Class<?> type, List<String> methods) {
    Stream.of(type.getDeclaredMethods())
        .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
        .filter(method -> !isAccessor(method) && !isInherited(method) && !isOfEnum(method))
        .map(method -> type.getCanonicalName() + "." + method.getName())
        .forEach(methods::add);
    Stream.of(type.getDeclaredClasses())
        .filter(nested -> Modifier.isPublic(nested.getModifiers()))
        .forEach(nested -> add(nested, methods));
  }

  private static boolean isAccessor(Method method) {
    RecordComponent[] components = method.getDeclaringClass().getRecordComponents();
    return components != null
        && Arrays.stream(components).anyMatch(each -> method.equals(each.getAccessor()));
  }

  private static boolean isOfEnum(Method method) {
    return method.getDeclaringClass().isEnum()
        && (method.getName().equals("values") || method.getName().equals("valueOf"));
  }

  /** It is said where it is declared first. */
  private static boolean isInherited(Method method) {
    return !Modifier.isStatic(method.getModifiers())
        && above(method.getDeclaringClass()).anyMatch(type -> declares(type, method));
  }

  private static Stream<Class<?>> above(Class<?> type) {
    Stream<Class<?>> direct =
        Stream.concat(
                Stream.of(Objects.requireNonNullElse(type.getSuperclass(), Object.class)),
                Stream.of(type.getInterfaces()))
            .filter(each -> !each.equals(type));
    return direct.flatMap(
        each ->
            each.equals(Object.class)
                ? Stream.of(each)
                : Stream.concat(Stream.of(each), above(each)));
  }

  private static boolean declares(Class<?> type, Method method) {
    return Stream.of(type.getDeclaredMethods())
        .anyMatch(
            each ->
                each.getName().equals(method.getName())
                    && each.getParameterCount() == method.getParameterCount());
  }

  @Override
  public String toString() {
    return type.getName();
  }
}
