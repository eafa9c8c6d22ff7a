package dev.outbox.servers;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/** Archives that artifacts carry. Stateless. */
final class ClassPath {
  private ClassPath() {}

  static Optional<URL> find(String resource) {
    return Optional.ofNullable(ClassLoader.getSystemResource(resource))
        .or(() -> Optional.ofNullable(ClassPath.class.getClassLoader().getResource(resource)));
  }

  static InputStream open(String resource) throws IOException {
    return require(resource).openStream();
  }

  static long size(String resource) throws IOException {
    return require(resource).openConnection().getContentLengthLong();
  }

  /** Feeds a tar stream to the system's tar, which keeps modes and links. */
  static void untar(InputStream tar, Path target) throws IOException {
    Process process =
        new ProcessBuilder("tar", "-x", "--no-same-owner", "-f", "-", "-C", target.toString())
            .redirectErrorStream(true)
            .start();
    try (var in = process.getOutputStream()) {
      tar.transferTo(in);
    }
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.onExit().join().exitValue() != 0) {
      throw new IOException("tar failed: " + output);
    }
  }

  /** Copies a folder out of the jar that holds it. */
  static void copyFolder(String folder, String fileInside, Path target) throws IOException {
    JarURLConnection connection = (JarURLConnection) require(fileInside).openConnection();
    try (JarFile jar = new JarFile(Path.of(connection.getJarFileURL().getPath()).toFile())) {
      for (Enumeration<JarEntry> entries = jar.entries(); entries.hasMoreElements(); ) {
        JarEntry entry = entries.nextElement();
        if (!entry.isDirectory() && entry.getName().startsWith(folder)) {
          copy(jar, entry, target.resolve(entry.getName().substring(folder.length())).normalize());
        }
      }
    }
  }

  private static void copy(JarFile jar, JarEntry entry, Path target) throws IOException {
    Files.createDirectories(target.getParent());
    try (InputStream content = jar.getInputStream(entry)) {
      Files.copy(content, target);
    }
  }

  private static URL require(String resource) throws IOException {
    return find(resource).orElseThrow(() -> new FileNotFoundException(resource));
  }
}
