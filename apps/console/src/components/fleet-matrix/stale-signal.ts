/**
 * From this age on engine signals are stale. Routers scrape every second or few and snapshot every five: at fifteen
 * seconds several scrapes in a row have failed.
 */
export const STALE_SIGNAL_MS = 15_000;
