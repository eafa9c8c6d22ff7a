package dev.outbox.examples.docs.javadoc;

import com.sun.source.doctree.DocCommentTree;
import com.sun.source.doctree.DocTree;
import com.sun.source.doctree.LiteralTree;
import com.sun.source.doctree.StartElementTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.PackageTree;
import com.sun.source.util.DocTreeScanner;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** The blocks of code in the Javadoc of a source file. */
final class JavadocExamples {
  private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

  private JavadocExamples() {}

  static List<String> of(Path source) {
    try (StandardJavaFileManager files = COMPILER.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask)
              COMPILER.getTask(
                  null, files, null, List.of(), null, files.getJavaFileObjects(source));
      CompilationUnitTree unit = task.parse().iterator().next();
      Comments comments = new Comments(DocTrees.instance(task));
      comments.scan(unit, null);
      return comments.blocks.examples;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Visits the comment of each type and method. */
  private static final class Comments extends TreePathScanner<@Nullable Void, @Nullable Void> {
    private final DocTrees trees;
    private final Blocks blocks = new Blocks();

    Comments(DocTrees trees) {
      this.trees = trees;
    }

    @Override
    public @Nullable Void visitPackage(PackageTree tree, @Nullable Void unused) {
      read();
      return super.visitPackage(tree, null);
    }

    @Override
    public @Nullable Void visitClass(ClassTree tree, @Nullable Void unused) {
      read();
      return super.visitClass(tree, null);
    }

    @Override
    public @Nullable Void visitMethod(MethodTree tree, @Nullable Void unused) {
      read();
      return super.visitMethod(tree, null);
    }

    private void read() {
      DocCommentTree comment = trees.getDocCommentTree(getCurrentPath());
      blocks.scan((DocTree) comment, null);
    }
  }

  /** Collects each {@code @code} that begins a {@code <pre>}. */
  private static final class Blocks extends DocTreeScanner<@Nullable Void, @Nullable Void> {
    private final List<String> examples = new ArrayList<>();
    private boolean begun;

    @Override
    public @Nullable Void visitStartElement(StartElementTree tree, @Nullable Void unused) {
      begun = tree.getName().contentEquals("pre");
      return super.visitStartElement(tree, null);
    }

    @Override
    public @Nullable Void visitLiteral(LiteralTree tree, @Nullable Void unused) {
      if (begun && tree.getKind() == DocTree.Kind.CODE) {
        examples.add(tree.getBody().getBody().stripIndent());
      }
      begun = false;
      return super.visitLiteral(tree, null);
    }
  }
}
