package dev.outbox.examples.mail;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A connection between two processes: a line for every question, a line for every answer. */
final class Line implements Closeable {
  private final Socket socket;
  private final BufferedReader in;
  private final PrintStream out;

  Line(Socket socket) throws IOException {
    this.socket = socket;
    this.in =
        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    this.out = new PrintStream(socket.getOutputStream(), true, StandardCharsets.UTF_8);
  }

  static Line to(int port) throws IOException {
    return new Line(new Socket(InetAddress.getLoopbackAddress(), port));
  }

  /** The answer to {@code question}. */
  String ask(String question) throws IOException {
    say(question);
    String answer = in.readLine();
    if (answer == null) {
      throw new IOException("the other end is gone");
    }
    return answer;
  }

  /** The words of the next line, none when the other end is gone. */
  String[] hear() throws IOException {
    String line = in.readLine();
    return line == null ? new String[0] : line.split(" ", -1);
  }

  void say(String line) throws IOException {
    out.println(line);
    if (out.checkError()) {
      throw new IOException("the other end is gone");
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
