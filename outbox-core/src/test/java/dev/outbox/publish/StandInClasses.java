package dev.outbox.publish;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Makes exceptions of clients that are not here: a class of the given name with one constructor
 * that takes the text.
 *
 * <p>Used by one thread.
 */
final class StandInClasses extends ClassLoader {
  private static final int PUBLIC_SUPER = 0x21;
  private static final int PUBLIC = 1;

  private final Map<String, Class<?>> made = new HashMap<>();

  StandInClasses() {
    super(StandInClasses.class.getClassLoader());
  }

  /** One of the class {@code name}, which extends those named behind it, the nearest first. */
  Throwable thrown(String text, String name, String... parents) throws Exception {
    String parent = RuntimeException.class.getName();
    for (int place = parents.length - 1; place >= 0; place--) {
      parent = made(parents[place], parent).getName();
    }
    return (Throwable) made(name, parent).getConstructor(String.class).newInstance(text);
  }

  private Class<?> made(String name, String parent) throws Exception {
    Class<?> known = made.get(name);
    if (known != null || name.startsWith("java.")) {
      return known == null ? Class.forName(name) : known;
    }
    byte[] bytes = bytes(name.replace('.', '/'), parent.replace('.', '/'));
    Class<?> type = defineClass(name, bytes, 0, bytes.length);
    made.put(name, type);
    return type;
  }

  /** {@code public class name extends parent { public name(String text) { super(text); } }}. */
  private static byte[] bytes(String name, String parent) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(0xCAFEBABE);
    out.writeInt(50); // minor 0, major 50
    out.writeShort(10);
    writeTexts(out, name, parent, "<init>", "(Ljava/lang/String;)V", "Code");
    writeReferences(out);
    for (int each : new int[] {PUBLIC_SUPER, 6, 7, 0, 0, 1, PUBLIC, 3, 4, 1, 5}) {
      out.writeShort(each);
    }
    out.writeInt(18); // of the attribute
    out.writeShort(2);
    out.writeShort(2);
    out.writeInt(6); // of the code: aload_0, aload_1, invokespecial 9, return
    out.write(new byte[] {0x2A, 0x2B, (byte) 0xB7, 0, 9, (byte) 0xB1});
    out.writeShort(0);
    out.writeShort(0);
    out.writeShort(0);
    return bytes.toByteArray();
  }

  /** Constants 1 to 5. */
  private static void writeTexts(DataOutputStream out, String... texts) throws IOException {
    for (String text : texts) {
      out.writeByte(1);
      out.writeUTF(text);
    }
  }

  /** 6 and 7: the two classes; 8 and 9: the parent's constructor. */
  private static void writeReferences(DataOutputStream out) throws IOException {
    out.writeByte(7);
    out.writeShort(1);
    out.writeByte(7);
    out.writeShort(2);
    out.writeByte(12);
    out.writeShort(3);
    out.writeShort(4);
    out.writeByte(10);
    out.writeShort(7);
    out.writeShort(8);
  }
}
