import type { Db } from "@evenkeel/db/connect";
import { listenPolicy } from "@evenkeel/db/listen";
import { perProcess } from "#server/per-process.ts";
import { LiveHub } from "./live-hub.ts";
import { topics } from "./topics.ts";

/** The process's hub; a published policy is pushed at once by the database's notification, the rest is polled. */
export function liveHub(db: Db): LiveHub {
  return perProcess("live-hub", () => {
    const hub = new LiveHub(db, topics);
    void listenPolicy(db, () => hub.hint("policy"));
    return hub;
  });
}
