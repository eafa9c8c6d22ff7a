package dev.outbox.cli.text;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code 30s}, {@code 15m}, {@code 2h} and {@code 7d}. */
public final class AgeConverter implements ITypeConverter<Duration> {
  private static final Pattern AGE = Pattern.compile("(\\d{1,9})\\s*(s|m|min|h|d)");

  @Override
  public Duration convert(String text) {
    Matcher age = AGE.matcher(text.strip());
    if (!age.matches()) {
      throw new TypeConversionException(
          "'" + text + "' is no age; write a number and s, m, h or d, such as 15m");
    }
    long number = Long.parseLong(age.group(1));
    return switch (age.group(2)) {
      case "s" -> Duration.ofSeconds(number);
      case "h" -> Duration.ofHours(number);
      case "d" -> Duration.ofDays(number);
      default -> Duration.ofMinutes(number);
    };
  }
}
