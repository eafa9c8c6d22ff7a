package dev.outbox.servers;

import java.io.IOException;
import java.io.InputStream;
import org.tukaani.xz.XZInputStream;

/** The only class that needs the optional xz library, so that all others load without it. */
final class Xz {
  private Xz() {}

  static InputStream open(String resource) throws IOException {
    return new XZInputStream(ClassPath.open(resource));
  }
}
