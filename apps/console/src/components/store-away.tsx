"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { Button } from "./ui/button.tsx";

/** The whole page when the database is away and nothing was loaded before. Tries again by itself. */
export function StoreAway() {
  const router = useRouter();
  useEffect(() => {
    const timer = setInterval(() => router.refresh(), 5_000);
    return () => clearInterval(timer);
  }, [router]);
  return (
    <main className="grid h-dvh place-items-center p-6">
      <div
        role="alert"
        className="max-w-[56ch] rounded-md border border-l-4 border-line border-l-warn bg-panel p-6"
      >
        <h1 className="text-answer font-semibold">The database cannot be reached.</h1>
        <p className="mt-2 text-muted">
          Routing continues on the last policy each router has. This page tries again every 5 seconds; check
          that Postgres runs and that DATABASE_URL is right.
        </p>
        <Button className="mt-4" onClick={() => router.refresh()}>
          Try now
        </Button>
      </div>
    </main>
  );
}
