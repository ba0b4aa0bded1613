"use client";

import { useSubscription } from "@trpc/tanstack-react-query";
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import type { TopicData, TopicName } from "#server/live/topics.ts";
import { failureReason, useTRPC, useTRPCClient } from "#trpc/client.tsx";
import { dataOf, type LiveState, LiveStore } from "./live-store.ts";

/** How long a stream may be silent or absent before the tab asks by itself. */
const PATIENCE_MS = 6_000;
const POLL_MS = 5_000;

const Store = createContext<LiveStore | null>(null);

function useStore(): LiveStore {
  const store = useContext(Store);
  if (store === null) throw new Error("LiveProvider is missing above this component.");
  return store;
}

/** Newest value of a topic, null before the first; frozen while paused unless `isLatest`. */
export function useLiveTopic<Name extends TopicName>(name: Name, isLatest = false): TopicData<Name> | null {
  const store = useStore();
  const slot = useSyncExternalStore(
    store.subscribe,
    () => store.slot(name, isLatest),
    () => null,
  );
  return dataOf<Name>(slot);
}

/** State of the connection and the pause. */
export function useLiveState(): LiveState {
  const store = useStore();
  return useSyncExternalStore(store.subscribe, store.state, store.state);
}

/** Null while changes can be saved, else the reason they cannot. For `disabledReason` of every control that edits. */
export function useEditBlock(): string | null {
  const { storeAwaySinceMs } = useLiveState();
  return storeAwaySinceMs === null
    ? null
    : "The database cannot be reached; nothing can be changed until it is back.";
}

/** Holds the tab's one live stream; closed while the tab is hidden, replaced by polling when it does not get through. */
export function LiveProvider({
  isPaused,
  children,
}: {
  readonly isPaused: boolean;
  readonly children: ReactNode;
}) {
  const [store] = useState(() => new LiveStore());
  const isVisible = useIsVisible();
  useEffect(() => store.pause(isPaused), [store, isPaused]);
  return (
    <Store value={store}>
      {isVisible ? <Stream store={store} /> : null}
      {children}
    </Store>
  );
}

function useIsVisible(): boolean {
  return useSyncExternalStore(
    (listener) => {
      document.addEventListener("visibilitychange", listener);
      return () => document.removeEventListener("visibilitychange", listener);
    },
    () => document.visibilityState === "visible",
    () => true,
  );
}

function Stream({ store }: { readonly store: LiveStore }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const lastEventAtMs = useRef(0);
  useSubscription(
    trpc.live.events.subscriptionOptions(undefined, {
      onData: ({ data }) => {
        lastEventAtMs.current = Date.now();
        store.receive(data.event, data.sentAtMs);
        store.connect("stream");
      },
    }),
  );

  useEffect(() => {
    // The clock changes every two seconds, so silence means that events do not get through.
    lastEventAtMs.current = Date.now();
    let isAsking = false;
    let isOver = false;
    const ask = async () => {
      if (isAsking || Date.now() - lastEventAtMs.current < PATIENCE_MS) return;
      isAsking = true;
      const connection = await client.live.poll.query().then(
        ({ events, sentAtMs }) => {
          for (const event of events) store.receive(event, sentAtMs);
          return "polling" as const;
        },
        (error: unknown) => {
          if (failureReason(error) !== "store_unavailable") return "lost" as const;
          store.storeAway();
          return "polling" as const;
        },
      );
      isAsking = false;
      // The stream may have come back while we asked.
      if (!isOver && Date.now() - lastEventAtMs.current >= PATIENCE_MS) store.connect(connection);
    };
    const timer = setInterval(() => void ask(), POLL_MS);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [client, store]);

  return null;
}
