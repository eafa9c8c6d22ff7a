package dev.outbox.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs docs/Renames.java, of which docs/upgrading.md speaks, on sources with old names. */
class UpgradingPageTest {
  private static final Path SCRIPT = Page.ROOT.resolve("docs/Renames.java");
  private static final Pattern TYPE =
      Pattern.compile("(?m)^ +dev\\.outbox\\.\\S+ (dev\\.outbox\\.\\S+)$");
  private static final String BEFORE =
      """
      package shop;

      import dev.outbox.jdbc.Schema;
      import dev.outbox.message.Message;
      import dev.outbox.publish.Ack;
      import dev.outbox.publish.Offer;
      import dev.outbox.publish.Publisher;
      import dev.outbox.store.DeadFilter;

      class Shop {
        Offer offer = Offer.nothing().fencing();
        DeadFilter all = DeadFilter.all();
        Ack later = Ack.unsent("the deadline is near");
        Message message = Message.to("orders").once("order 42").json("{}");
        Publisher publisher = Publisher.blocking(each -> {}).offering(offer);

        Schema schema(javax.sql.DataSource dataSource) {
          return Schema.of(dataSource).build();
        }
      }
      """;

  @Test
  void a_class_with_old_names_compiles_when_the_script_has_renamed_them(@TempDir Path folder)
      throws Exception {
    Path shop = Files.writeString(folder.resolve("Shop.java"), BEFORE);
    Files.writeString(folder.resolve("Other.java"), "class Other { int isOver() { return 1; } }");
    assertThat(compiles(shop)).isFalse();

    assertThat(renamed(folder)).containsExactly(shop.toString());

    assertThat(shop)
        .content()
        .contains("import dev.outbox.publish.BrokerGuarantees;")
        .contains("BrokerGuarantees offer = BrokerGuarantees.nothing()")
        .contains("Filter all = Filter.all();")
        .contains("Message.to(\"orders\").dedupeKey(\"order 42\")");
    assertThat(compiles(shop)).isTrue();
  }

  @Test
  void every_new_name_of_a_type_is_there() {
    List<String> types =
        TYPE.matcher(Page.read(SCRIPT)).results().map(type -> type.group(1)).toList();
    assertThat(types).hasSizeGreaterThan(50);
    for (String type : types) {
      String binary = type.replaceAll("([A-Z]\\w*)\\.", "$1\\$");
      assertThatCode(() -> Class.forName(binary, false, getClass().getClassLoader()))
          .as(type)
          .doesNotThrowAnyException();
    }
  }

  private static List<String> renamed(Path folder) throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Path output = Files.createTempFile(folder, "output", ".txt");
    Process script =
        new ProcessBuilder(java, SCRIPT.toString(), folder.toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertThat(script.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return Files.readAllLines(output);
  }

  private static boolean compiles(Path source) {
    String classPath = System.getProperty("java.class.path");
    OutputStream silence = OutputStream.nullOutputStream();
    return ToolProvider.getSystemJavaCompiler()
            .run(null, silence, silence, "-proc:none", "-cp", classPath, source.toString())
        == 0;
  }
}
