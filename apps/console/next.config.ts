import { fileURLToPath } from "node:url";
import type { NextConfig } from "next";

const repositoryRoot = fileURLToPath(new URL("../..", import.meta.url));

/** Headers of every answer; the Content-Security-Policy carries a nonce and is set per request in `src/proxy.ts`. */
const securityHeaders = [
  { key: "X-Content-Type-Options", value: "nosniff" },
  { key: "X-Frame-Options", value: "DENY" },
  { key: "Referrer-Policy", value: "same-origin" },
  { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
  { key: "Cross-Origin-Resource-Policy", value: "same-origin" },
  { key: "Permissions-Policy", value: "camera=(), microphone=(), geolocation=(), browsing-topics=()" },
];

const config: NextConfig = {
  output: "standalone",
  // A compressing server holds back small server-sent events; compress at the proxy in front.
  compress: false,
  poweredByHeader: false,
  reactStrictMode: true,
  // Both must be the repository root, or the standalone server is traced from the wrong folder.
  outputFileTracingRoot: repositoryRoot,
  turbopack: { root: repositoryRoot },
  transpilePackages: ["@evenkeel/db", "@evenkeel/scheduler"],
  headers: async () => [{ source: "/:path*", headers: securityHeaders }],
  redirects: async () => [{ source: "/", destination: "/fleet", permanent: false }],
};

export default config;
