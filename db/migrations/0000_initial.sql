CREATE TYPE "public"."audit_origin" AS ENUM('ui', 'api', 'cli', 'router');--> statement-breakpoint
CREATE TYPE "public"."policy_ack_status" AS ENUM('applied', 'refused');--> statement-breakpoint
CREATE TYPE "public"."policy_revision_kind" AS ENUM('initial', 'publish', 'rollback');--> statement-breakpoint
CREATE TABLE "audit_entries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_entries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"actor" text NOT NULL,
	"role" text,
	"action" text NOT NULL,
	"object" text NOT NULL,
	"diff" jsonb NOT NULL,
	"reason" text NOT NULL,
	"origin" "audit_origin" NOT NULL,
	"ip" "inet",
	"request_id" text
);
--> statement-breakpoint
CREATE TABLE "auth_accounts" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"provider_id" text NOT NULL,
	"user_id" text NOT NULL,
	"access_token" text,
	"refresh_token" text,
	"id_token" text,
	"access_token_expires_at" timestamp with time zone,
	"refresh_token_expires_at" timestamp with time zone,
	"scope" text,
	"password" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "auth_sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"token" text NOT NULL,
	"user_id" text NOT NULL,
	"ip_address" text,
	"user_agent" text,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "auth_sessions_token_unique" UNIQUE("token")
);
--> statement-breakpoint
CREATE TABLE "auth_users" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"email_verified" boolean DEFAULT false NOT NULL,
	"image" text,
	"role" text DEFAULT 'viewer' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "auth_users_email_unique" UNIQUE("email"),
	CONSTRAINT "auth_users_role" CHECK ("auth_users"."role" in ('viewer', 'operator', 'admin'))
);
--> statement-breakpoint
CREATE TABLE "auth_verifications" (
	"id" text PRIMARY KEY NOT NULL,
	"identifier" text NOT NULL,
	"value" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "decision_contexts" (
	"num" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "decision_contexts_num_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"key" uuid NOT NULL,
	"model" text,
	"base_model" text,
	"adapter" text,
	"pool" text,
	"arm" text,
	"segment" text,
	"strategy" text NOT NULL,
	"term_names" text[] NOT NULL,
	"reason" text,
	"reject_code" text,
	"outcome" text NOT NULL,
	"error_code" text,
	"status" smallint,
	"attempt_count" smallint NOT NULL,
	"is_streaming" boolean NOT NULL,
	"is_panic" boolean NOT NULL,
	CONSTRAINT "decision_contexts_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "decisions" (
	"decided_at" timestamp with time zone NOT NULL,
	"decided_offset_ms" double precision,
	"id" uuid NOT NULL,
	"context" integer NOT NULL,
	"router" integer NOT NULL,
	"policy_revision" integer NOT NULL,
	"chosen" integer,
	"replica_set" integer NOT NULL,
	"decide_us" real NOT NULL,
	"duration_ms" real NOT NULL,
	"held_ms" real,
	"predicted_ttft_ms" real,
	"margin" real,
	"ttft_ms" real,
	"itl_ms" real,
	"prompt_tokens_predicted" real NOT NULL,
	"predicted_output_tokens" real,
	"prompt_tokens" integer,
	"cached_tokens" integer,
	"output_tokens" integer,
	"request_uuid" uuid,
	"request_id" text,
	"stream_id" text,
	"session_hash" text,
	"unknown_model" text,
	"filtered" integer[],
	"detail" "bytea" NOT NULL,
	CONSTRAINT "decisions_decided_at_id_pk" PRIMARY KEY("decided_at","id")
) PARTITION BY RANGE ("decided_at");
--> statement-breakpoint
CREATE TABLE "replica_sets" (
	"num" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "replica_sets_num_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"key" uuid NOT NULL,
	"members" integer[] NOT NULL,
	CONSTRAINT "replica_sets_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "replicas" (
	"num" integer GENERATED ALWAYS AS IDENTITY (sequence name "replicas_num_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"id" text PRIMARY KEY NOT NULL,
	"model" text,
	"engine" text,
	"role" text,
	"labels" jsonb,
	"segment" text,
	"first_seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"removed_at" timestamp with time zone,
	CONSTRAINT "replicas_num_unique" UNIQUE("num")
);
--> statement-breakpoint
CREATE TABLE "routers" (
	"num" integer GENERATED ALWAYS AS IDENTITY (sequence name "routers_num_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"id" text PRIMARY KEY NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"version" text,
	"host" text,
	"policy_revision" integer,
	"records_queued" bigint DEFAULT 0 NOT NULL,
	"records_spooled" bigint DEFAULT 0 NOT NULL,
	"records_dropped" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "routers_num_unique" UNIQUE("num")
);
--> statement-breakpoint
CREATE TABLE "policy_acks" (
	"router_id" text NOT NULL,
	"revision" integer NOT NULL,
	"status" "policy_ack_status" NOT NULL,
	"problem" text,
	"acked_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "policy_acks_router_id_revision_acked_at_pk" PRIMARY KEY("router_id","revision","acked_at")
);
--> statement-breakpoint
CREATE TABLE "policy_revisions" (
	"revision" integer PRIMARY KEY NOT NULL,
	"kind" "policy_revision_kind" NOT NULL,
	"document" jsonb NOT NULL,
	"source" text NOT NULL,
	"base_revision" integer,
	"of_revision" integer,
	"author" text NOT NULL,
	"reason" text NOT NULL,
	"published_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "replica_snapshots" (
	"taken_at" timestamp with time zone NOT NULL,
	"replica" integer NOT NULL,
	"router" integer NOT NULL,
	"state" text NOT NULL,
	"in_flight" integer NOT NULL,
	"running" integer,
	"queue_depth" integer,
	"kv_occupancy" real,
	"signal_age_ms" real,
	"ttft_p50_ms" real,
	"ttft_p99_ms" real,
	"itl_p50_ms" real,
	"hit_rate" real,
	"requests" integer NOT NULL,
	"failures" integer NOT NULL,
	CONSTRAINT "replica_snapshots_taken_at_replica_router_pk" PRIMARY KEY("taken_at","replica","router")
) PARTITION BY RANGE ("taken_at");
--> statement-breakpoint
ALTER TABLE "auth_accounts" ADD CONSTRAINT "auth_accounts_user_id_auth_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."auth_users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auth_sessions" ADD CONSTRAINT "auth_sessions_user_id_auth_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."auth_users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "policy_acks" ADD CONSTRAINT "policy_acks_revision_policy_revisions_revision_fk" FOREIGN KEY ("revision") REFERENCES "public"."policy_revisions"("revision") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_entries_at" ON "audit_entries" USING btree ("at");--> statement-breakpoint
CREATE INDEX "audit_entries_object" ON "audit_entries" USING btree ("object");--> statement-breakpoint
CREATE INDEX "auth_accounts_user_id" ON "auth_accounts" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "auth_sessions_user_id" ON "auth_sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "auth_verifications_identifier" ON "auth_verifications" USING btree ("identifier");--> statement-breakpoint
CREATE INDEX "decisions_context" ON "decisions" USING btree ("context");--> statement-breakpoint
CREATE INDEX "decisions_chosen" ON "decisions" USING btree ("chosen");--> statement-breakpoint
CREATE INDEX "decisions_replica_set" ON "decisions" USING btree ("replica_set");--> statement-breakpoint
CREATE INDEX "policy_acks_revision" ON "policy_acks" USING btree ("revision");