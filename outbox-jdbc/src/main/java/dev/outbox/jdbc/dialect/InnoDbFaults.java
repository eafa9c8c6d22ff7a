package dev.outbox.jdbc.dialect;

import static java.util.Map.entry;

import java.util.HashMap;
import java.util.Map;

/** The error codes that MySQL and MariaDB share. */
final class InnoDbFaults {
  private static final Map<Integer, Fault> SHARED =
      Map.ofEntries(
          entry(1213, Fault.RETRY),
          entry(1205, Fault.RETRY),
          entry(1053, Fault.CONNECTION),
          entry(1158, Fault.CONNECTION),
          entry(1159, Fault.CONNECTION),
          entry(1160, Fault.CONNECTION),
          entry(1161, Fault.CONNECTION),
          entry(1184, Fault.CONNECTION),
          entry(1040, Fault.PASSING),
          entry(1203, Fault.PASSING),
          entry(1226, Fault.PASSING),
          entry(1317, Fault.PASSING),
          entry(1021, Fault.PASSING),
          entry(1114, Fault.PASSING),
          entry(1290, Fault.READ_ONLY),
          entry(1792, Fault.READ_ONLY),
          entry(1836, Fault.READ_ONLY),
          entry(1049, Fault.MISSING),
          entry(1054, Fault.MISSING),
          entry(1146, Fault.MISSING),
          entry(1176, Fault.MISSING),
          entry(1044, Fault.DENIED),
          entry(1142, Fault.DENIED),
          entry(1143, Fault.DENIED),
          entry(1227, Fault.DENIED),
          entry(1369, Fault.REFUSED),
          entry(1644, Fault.REFUSED),
          entry(1062, Fault.DUPLICATE));

  private InnoDbFaults() {}

  /** These, and those of one product. */
  static FaultCodes with(Map<Integer, Fault> own, Map<String, Fault> states) {
    Map<Integer, Fault> codes = new HashMap<>(SHARED);
    codes.putAll(own);
    return new FaultCodes(Map.copyOf(codes), states);
  }
}
