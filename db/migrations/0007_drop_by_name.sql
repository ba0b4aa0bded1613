-- Names are compared as text: a cast may be tried on names of other tables, whatever the other conditions say.
CREATE OR REPLACE FUNCTION evenkeel_drop_partitions(parent text, before date) RETURNS SETOF text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public SET lock_timeout = '2s' AS $$
DECLARE
  part record;
BEGIN
  IF parent NOT IN ('decisions', 'replica_snapshots', 'replica_minutes', 'replica_hours', 'decision_minutes') THEN
    RAISE EXCEPTION 'evenkeel: % has no partitions', parent USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF before > (now() AT TIME ZONE 'UTC')::date THEN
    RAISE EXCEPTION 'evenkeel: partitions of today and later are never dropped' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('evenkeel_partitions'));
  FOR part IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = ('public.' || parent)::regclass
      AND right(c.relname, 8) < to_char(before, 'YYYYMMDD')
    ORDER BY c.relname
  LOOP
    EXECUTE format('DROP TABLE public.%I', part.relname);
    RETURN NEXT part.relname;
  END LOOP;
END $$;
