/** Runs once when the server starts, before it answers requests. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { env } = await import("./env.ts");
  const { tellTrueAddress } = await import("./server/tell-true-address.ts");
  tellTrueAddress(env().CONSOLE_TRUSTED_PROXIES);
  const { announce } = await import("./server/announce.ts");
  await announce();
}
