package dev.outbox.cli.text;

import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Escapes what would move the cursor or reverse a text: JSON is read at terminals too, and a parser
 * reads the same text from it.
 */
final class VisibleSigns extends CharacterEscapes {
  private static final long serialVersionUID = 1L;

  @Override
  public int[] getEscapeCodesForAscii() {
    int[] escapes = standardAsciiEscapesForJSON();
    escapes[0x7F] = ESCAPE_STANDARD;
    return escapes;
  }

  @Override
  public @Nullable SerializableString getEscapeSequence(int sign) {
    int type = Character.getType(sign);
    boolean isSeen = type != Character.CONTROL && type != Character.FORMAT;
    return isSeen ? null : new SerializedString(String.format(Locale.ROOT, "\\u%04X", sign));
  }
}
