package dev.outbox.cli;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The library's advice to Java programmers, in words of the command line.
 *
 * <p>A text that is not known here stays as it is.
 */
public final class Remedies {
  private static final Map<String, String> WORDS = words();

  private Remedies() {}

  private static Map<String, String> words() {
    String schema = "Schema.builder(dataSource)";
    String print = "the DDL of 'outbox schema print'";
    Map<String, String> words = new LinkedHashMap<>(); // the longer before what is in it
    words.put(schema + ".create()", print);
    words.put(
        schema + ".with(Schema.Part.ARCHIVE).create()",
        "the DDL of 'outbox schema print --with archive'");
    words.put("; create() makes the tables", "; " + print + " makes the tables");
    words.put(
        "say their schema(..) and tablePrefix(..) to JdbcStore.builder(dataSource)",
        "name them with --schema and --table-prefix");
    words.put(schema + ".build().upgrade()", "'outbox schema upgrade'");
    words.put(schema + ".build().raiseIds(), or ", "");
    words.put(
        schema + ".build().raiseIds()",
        "the statements of 'outbox doctor --role relay' under ids-behind");
    words.put("Deploy the library of that version", "Use the outbox command of that version");
    words.put("this library works with", "this command works with");
    words.put("table prefix is '", "--table-prefix is '");
    words.put("schema is '", "--schema is '");
    words.put("publicOrigin is ", "--public-origin is ");
    words.put("publicOrigin needs a port(..)", "--public-origin needs --port");
    return words;
  }

  /** The sentence as an operator at a shell can follow it. */
  public static String atShell(String sentence) {
    String told = sentence;
    for (Map.Entry<String, String> word : WORDS.entrySet()) {
      told = told.replace(word.getKey(), word.getValue());
    }
    return told;
  }
}
