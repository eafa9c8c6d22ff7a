-- fragment: weight
NVL(DBMS_LOB.GETLENGTH(o.payload), 0) + NVL(DBMS_LOB.GETLENGTH(o.headers), 0)

-- fragment: full_weight
{weight} + NVL(DBMS_LOB.GETLENGTH(o.history), 0)

-- fragment: not_held
INSTR(:held, CHR(1) || o.topic || CHR(1)) = 0

-- fragment: failing
EXTRACT(DAY FROM {now} - o.first_failed_at) * 86400000000
  + EXTRACT(HOUR FROM {now} - o.first_failed_at) * 3600000000
  + EXTRACT(MINUTE FROM {now} - o.first_failed_at) * 60000000
  + EXTRACT(SECOND FROM {now} - o.first_failed_at) * 1000000

-- fragment: any_key
(CAST(:msg_key AS VARCHAR2(255 CHAR)) IS NULL OR msg_key = CAST(:msg_key AS VARCHAR2(255 CHAR)))

-- fragment: narrowed
AND (CAST(:reason AS VARCHAR2(255 CHAR)) IS NULL OR reason = CAST(:reason AS VARCHAR2(255 CHAR)))
  AND (CAST(:older AS NUMBER(19)) IS NULL OR died_at <= {now} - NUMTODSINTERVAL(:older * 0.000001, 'SECOND'))
  AND (CAST(:error AS VARCHAR2(1000 CHAR)) IS NULL OR INSTR(LOWER(last_error), LOWER(CAST(:error AS VARCHAR2(1000 CHAR)))) > 0)
  AND (CAST(:up_to AS NUMBER(19)) IS NULL OR dead_id <= CAST(:up_to AS NUMBER(19)))
