-- Charts count decisions by time and context: with the context in the key's leaves they never touch the wide rows.
ALTER TABLE decisions DROP CONSTRAINT decisions_decided_at_id_pk;
--> statement-breakpoint
ALTER TABLE decisions ADD CONSTRAINT decisions_decided_at_id_pk PRIMARY KEY (decided_at, id) INCLUDE (context);
--> statement-breakpoint
-- Sessions come again, and each is held once with the rows it has. By the first eight characters, so that a prefix can be
-- looked for: starts_with(left(session_hash, 8), …).
CREATE INDEX decisions_session ON decisions (left(session_hash, 8) COLLATE "C") WHERE session_hash IS NOT NULL;
--> statement-breakpoint
-- A revision is live for one stretch of time, so its rows lie together.
CREATE INDEX decisions_revision ON decisions USING brin (policy_revision) WITH (pages_per_range = 32);
--> statement-breakpoint
-- Only the rows one looks for: a dearer replica was chosen; the answer took over twice as long as predicted.
CREATE INDEX decisions_dearer ON decisions (decided_at) WHERE margin < 0;
--> statement-breakpoint
CREATE INDEX decisions_late ON decisions (decided_at) WHERE ttft_ms > 2 * predicted_ttft_ms;
