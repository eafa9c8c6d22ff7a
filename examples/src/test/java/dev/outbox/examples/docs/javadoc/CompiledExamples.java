package dev.outbox.examples.docs.javadoc;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** Compiles examples, each as the body of a method in a class with {@link Surroundings}. */
final class CompiledExamples {
  private static final String IMPORTS =
      """
      package dev.outbox.examples.docs.javadoc;
      import dev.outbox.*;
      import dev.outbox.cluster.*;
      import dev.outbox.jdbc.*;
      import dev.outbox.json.*;
      import dev.outbox.message.*;
      import dev.outbox.publish.*;
      import dev.outbox.testkit.*;
      import dev.outbox.testkit.assertj.*;
      import dev.outbox.testkit.junit.*;
      import dev.outbox.testkit.network.*;
      import com.fasterxml.jackson.databind.ObjectMapper;
      import dev.outbox.spi.lane.Lane;
      import java.io.IOException;
      import java.net.ConnectException;
      import java.net.URI;
      import java.sql.*;
      import java.time.*;
      import java.util.*;
      import java.util.concurrent.*;
      import java.util.function.*;
      import java.util.stream.*;
      import javax.sql.DataSource;
      import org.jdbi.v3.core.Jdbi;
      import org.junit.jupiter.api.Test;
      import org.junit.jupiter.api.extension.RegisterExtension;
      import static java.nio.charset.StandardCharsets.UTF_8;
      import static dev.outbox.testkit.assertj.KitAssertions.assertThat;
      """;

  private CompiledExamples() {}

  /** What the compiler says, and the methods that examples call, implement or pass. */
  record Result(List<String> errors, Set<String> shown) {
    boolean shows(String method) {
      return shown.contains(method);
    }
  }

  static Result of(String name, List<String> examples) {
    return Objects.requireNonNull(ofAll(Map.of(name, examples)).get(name));
  }

  /** Those of each name, compiled together. */
  static Map<String, Result> ofAll(Map<String, List<String>> examples) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
    List<Source> sources =
        examples.entrySet().stream().map(each -> source(each.getKey(), each.getValue())).toList();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(said, null, null)) {
      List<String> options =
          List.of("-proc:none", "-XDshould-stop.ifError=FLOW", "-Xmaxerrs", "1000");
      JavacTask task = (JavacTask) compiler.getTask(null, files, said, options, null, sources);
      Iterable<? extends CompilationUnitTree> units = task.parse();
      task.analyze();
      Map<String, Result> results = new HashMap<>();
      for (CompilationUnitTree unit : units) {
        Calls calls = new Calls(task);
        calls.scan(unit, null);
        URI uri = unit.getSourceFile().toUri();
        results.put(Source.nameOf(uri), new Result(errors(said, uri), calls.shown));
      }
      return results;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> errors(DiagnosticCollector<JavaFileObject> said, URI uri) {
    return said.getDiagnostics().stream()
        .filter(each -> each.getKind() == Diagnostic.Kind.ERROR)
        .filter(each -> each.getSource().toUri().equals(uri))
        .map(each -> each.getMessage(Locale.ENGLISH) + " in line " + line(each))
        .toList();
  }

  private static String line(Diagnostic<? extends JavaFileObject> error) {
    try {
      String text = error.getSource().getCharContent(true).toString();
      return text.lines().skip(error.getLineNumber() - 1).findFirst().orElse("").strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Source source(String name, List<String> examples) {
    StringBuilder text = new StringBuilder(IMPORTS);
    text.append("abstract class ExamplesOf").append(name).append(" extends Surroundings {\n");
    for (int number = 0; number < examples.size(); number++) {
      String example = examples.get(number);
      text.append(
          isMembers(example)
              ? "abstract class Members%d {\n%s\n}\n".formatted(number, example)
              : "void example%d() throws Exception {\n%s\n}\n".formatted(number, example));
    }
    return new Source(name, text.append("}\n").toString());
  }

  /** An example with an annotation or a class in its first line is not the body of a method. */
  private static boolean isMembers(String example) {
    return example.strip().matches("(?s)(@|final class |class |record |public ).*");
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String name, String text) {
      super(URI.create("string:///ExamplesOf%s.java".formatted(name)), Kind.SOURCE);
      this.text = text;
    }

    static String nameOf(URI uri) {
      return uri.getPath().replaceAll("/ExamplesOf|\\.java", "");
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  /** Visits calls, references to methods, lambdas and implementations. */
  private static final class Calls extends TreePathScanner<@Nullable Void, @Nullable Void> {
    private final Set<String> shown = new HashSet<>();
    private final Trees trees;
    private final JavacTask task;

    Calls(JavacTask task) {
      this.task = task;
      this.trees = Trees.instance(task);
    }

    @Override
    public @Nullable Void visitMethodInvocation(MethodInvocationTree tree, @Nullable Void unused) {
      add(trees.getElement(getCurrentPath()));
      return super.visitMethodInvocation(tree, null);
    }

    @Override
    public @Nullable Void visitMemberReference(MemberReferenceTree tree, @Nullable Void unused) {
      add(trees.getElement(getCurrentPath()));
      implemented(trees.getTypeMirror(getCurrentPath()));
      return super.visitMemberReference(tree, null);
    }

    @Override
    public @Nullable Void visitLambdaExpression(LambdaExpressionTree tree, @Nullable Void unused) {
      implemented(trees.getTypeMirror(getCurrentPath()));
      return super.visitLambdaExpression(tree, null);
    }

    @Override
    public @Nullable Void visitMethod(MethodTree tree, @Nullable Void unused) {
      Element method = trees.getElement(getCurrentPath());
      if (method != null) {
        above(method.getEnclosingElement().asType())
            .forEach(type -> methods(type, tree.getName().toString()).forEach(this::add));
      }
      return super.visitMethod(tree, null);
    }

    private List<TypeMirror> above(TypeMirror type) {
      List<TypeMirror> all = new ArrayList<>();
      for (TypeMirror each : task.getTypes().directSupertypes(type)) {
        all.add(each);
        all.addAll(above(each));
      }
      return all;
    }

    private void implemented(@Nullable TypeMirror type) {
      if (type instanceof DeclaredType) {
        Stream.concat(Stream.of(type), above(type).stream())
            .flatMap(each -> methods(each, "").stream())
            .filter(method -> method.getModifiers().contains(Modifier.ABSTRACT))
            .forEach(this::add);
      }
    }

    private static List<? extends Element> methods(TypeMirror type, String name) {
      return ((DeclaredType) type)
          .asElement().getEnclosedElements().stream()
              .filter(member -> member.getKind() == ElementKind.METHOD)
              .filter(member -> name.isEmpty() || member.getSimpleName().contentEquals(name))
              .toList();
    }

    private void add(@Nullable Element method) {
      if (method instanceof ExecutableElement
          && method.getEnclosingElement() instanceof TypeElement owner) {
        shown.add(owner.getQualifiedName() + "." + method.getSimpleName());
      }
    }
  }
}
