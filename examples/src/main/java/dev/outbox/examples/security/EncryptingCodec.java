package dev.outbox.examples.security;

import dev.outbox.message.Payload;
import dev.outbox.message.PayloadCodec;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/** The code of docs/security.md. */
/** Encrypts what another codec writes, with a key for each person. */
public final class EncryptingCodec implements PayloadCodec {
  private static final String TYPE = "application/vnd.example.encrypted";

  private final PayloadCodec plain;
  private final Keys keys;
  private final SecureRandom random = new SecureRandom();

  /** The keys; {@code of} throws for a person who was erased. */
  public interface Keys {
    SecretKey of(String person);
  }

  /** A payload about one person. */
  public interface Personal {
    String person();
  }

  public EncryptingCodec(PayloadCodec plain, Keys keys) {
    this.plain = plain;
    this.keys = keys;
  }

  @Override
  public Payload encode(Object payload) {
    if (!(payload instanceof Personal personal)) {
      return plain.encode(payload);
    }
    Payload inner = plain.encode(payload);
    byte[] nonce = new byte[12];
    random.nextBytes(nonce);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeUTF(personal.person());
      out.writeUTF(inner.contentType());
      out.write(nonce);
      out.write(crypt(Cipher.ENCRYPT_MODE, personal.person(), nonce, inner.bytes()));
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalArgumentException("cannot encrypt a " + payload.getClass(), e);
    }
    return new Payload(TYPE, bytes.toByteArray());
  }

  @Override
  public <T> T decode(Payload payload, Class<T> type) {
    if (!payload.contentType().equals(TYPE)) {
      return plain.decode(payload, type);
    }
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(payload.bytes()))) {
      String person = in.readUTF();
      String contentType = in.readUTF();
      byte[] nonce = in.readNBytes(12);
      byte[] text = crypt(Cipher.DECRYPT_MODE, person, nonce, in.readAllBytes());
      return plain.decode(new Payload(contentType, text), type);
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalArgumentException("cannot decrypt a " + type, e);
    }
  }

  private byte[] crypt(int mode, String person, byte[] nonce, byte[] bytes)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, keys.of(person), new GCMParameterSpec(128, nonce));
    return cipher.doFinal(bytes);
  }
}
