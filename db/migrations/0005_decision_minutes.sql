CREATE TABLE "decision_minutes" (
	"started_at" timestamp with time zone NOT NULL,
	"context" integer NOT NULL,
	"decisions" integer NOT NULL,
	CONSTRAINT "decision_minutes_started_at_context_pk" PRIMARY KEY("started_at","context")
) PARTITION BY RANGE ("started_at");
--> statement-breakpoint
CREATE OR REPLACE FUNCTION evenkeel_ensure_partition(parent text, day date) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
  name text := parent || '_' || to_char(day, 'YYYYMMDD');
BEGIN
  IF parent NOT IN ('decisions', 'replica_snapshots', 'replica_minutes', 'replica_hours', 'decision_minutes') THEN
    RAISE EXCEPTION 'evenkeel: % has no partitions', parent USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF EXISTS (SELECT FROM pg_class WHERE relname = name AND relnamespace = 'public'::regnamespace) THEN
    RETURN false;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('evenkeel_partitions'));
  -- Looked up by a query, not by to_regclass: that one may answer from a cache that the wait for the lock left stale.
  IF EXISTS (SELECT FROM pg_class WHERE relname = name AND relnamespace = 'public'::regnamespace) THEN
    RETURN false;
  END IF;
  EXECUTE format('CREATE TABLE public.%I (LIKE public.%I INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE)', name, parent);
  EXECUTE format(
    'ALTER TABLE public.%I ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)',
    parent, name,
    (day::timestamp AT TIME ZONE 'UTC')::text, ((day + 1)::timestamp AT TIME ZONE 'UTC')::text
  );
  RETURN true;
END $$;
--> statement-breakpoint

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
      AND to_date(right(c.relname, 8), 'YYYYMMDD') < before
    ORDER BY c.relname
  LOOP
    EXECUTE format('DROP TABLE public.%I', part.relname);
    RETURN NEXT part.relname;
  END LOOP;
END $$;
