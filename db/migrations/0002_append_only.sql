-- No role the applications use is granted UPDATE or DELETE on these tables. The triggers say the same to their owner,
-- who is the one left when the server does not let us make roles.
CREATE FUNCTION evenkeel_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'evenkeel: % is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;
--> statement-breakpoint
CREATE TRIGGER policy_revisions_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON policy_revisions
FOR EACH STATEMENT EXECUTE FUNCTION evenkeel_append_only();
--> statement-breakpoint
CREATE TRIGGER policy_acks_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON policy_acks
FOR EACH STATEMENT EXECUTE FUNCTION evenkeel_append_only();
--> statement-breakpoint
CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries
FOR EACH STATEMENT EXECUTE FUNCTION evenkeel_append_only();
