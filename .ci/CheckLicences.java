import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/**
 * Checks the licences of what a module brings to its users, from its SBOM in target/central: each
 * is listed in .ci/licences.txt, and one of them is among those that we allow. The profile
 * "release" runs it for each module: java CheckLicences.java ROOT ARTIFACT SKIPPED. With ROOT alone
 * it prints the list of all modules.
 */
public final class CheckLicences {
  /** Whoever builds on us may keep their own code closed; LGPL: as a jar of its own. */
  private static final Set<String> ALLOWED =
      Set.of(
          "AL 2.0", // RabbitMQ's name of Apache-2.0
          "Apache-2.0",
          "BSD-2-Clause",
          "Bouncy Castle Licence", // the MIT licence
          "EPL-1.0",
          "EPL-2.0",
          "LGPL-2.1-or-later",
          "MIT",
          "MIT-0");

  public static void main(String[] args) throws Exception {
    Path staged = Path.of(args[0], "target", "central", "dev", "outbox");
    if (args.length == 1) {
      brought(staged).forEach(System.out::println);
      return;
    }
    if (Boolean.parseBoolean(args[2])) {
      return;
    }
    Set<String> brought = brought(staged.resolve(args[1]));
    List<String> wrongs = new ArrayList<>();
    Set<String> listed = Set.copyOf(Files.readAllLines(Path.of(args[0], ".ci", "licences.txt")));
    for (String line : brought) {
      if (!listed.contains(line)) {
        wrongs.add("not in .ci/licences.txt: " + line);
      }
      if (Stream.of(licences(line).split(" or ")).noneMatch(ALLOWED::contains)) {
        wrongs.add("under no licence that we allow: " + line);
      }
    }
    wrongs.forEach(
        wrong -> System.err.println("licences: " + args[1] + " brings what is " + wrong));
    if (!wrongs.isEmpty()) {
      System.exit(1);
    }
  }

  private static String licences(String line) {
    return line.substring(line.indexOf(' ') + 1);
  }

  /** A line for each component of the SBOMs below a folder. */
  private static Set<String> brought(Path folder) throws Exception {
    List<Path> sboms;
    try (Stream<Path> files = Files.walk(folder)) {
      sboms = files.filter(file -> file.toString().endsWith("-cyclonedx.xml")).toList();
    }
    if (sboms.isEmpty()) {
      throw new IOException("no SBOM in " + folder);
    }
    Set<String> lines = new TreeSet<>();
    for (Path sbom : sboms) {
      for (Element component : components(xml(sbom).getDocumentElement())) {
        String group = text(component, "group");
        if (!group.equals("dev.outbox")) {
          lines.add(group + ":" + text(component, "name") + " " + named(component));
        }
      }
    }
    return lines;
  }

  private static List<Element> components(Element sbom) {
    List<Element> components = new ArrayList<>();
    for (Node at = sbom.getFirstChild(); at != null; at = at.getNextSibling()) {
      if (at.getNodeName().equals("components")) {
        NodeList found = ((Element) at).getElementsByTagName("component");
        for (int index = 0; index < found.getLength(); index++) {
          components.add((Element) found.item(index));
        }
      }
    }
    return components;
  }

  /** The SPDX ids of a component's licences, or their names where they have no id. */
  private static String named(Element component) {
    Set<String> names = new TreeSet<>();
    for (String tag : List.of("id", "name", "expression")) {
      NodeList licences = all(component, "licenses", tag);
      for (int at = 0; at < licences.getLength(); at++) {
        names.add(licences.item(at).getTextContent().strip());
      }
    }
    return names.isEmpty() ? "unknown" : String.join(" or ", names);
  }

  private static NodeList all(Element element, String child, String tag) {
    Element found = (Element) element.getElementsByTagName(child).item(0);
    return found == null ? element.getElementsByTagName("none") : found.getElementsByTagName(tag);
  }

  private static String text(Element element, String tag) {
    return element.getElementsByTagName(tag).item(0).getTextContent().strip();
  }

  private static Document xml(Path file) throws Exception {
    return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
  }
}
