import { createServer } from "node:net";
import { StackError } from "./stack-error.ts";

/** A TCP port that is free at this moment; `wanted` itself when it is given and free. */
export function freePort(wanted = 0, variable?: string, host = "127.0.0.1"): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const name = variable ?? "the port";
      reject(
        cause.code === "EADDRINUSE"
          ? new StackError(
              "port_in_use",
              `Port ${wanted} is in use by another program: set ${name} to a free port, or to 0 to have one picked.`,
              { cause },
            )
          : new StackError(
              "configuration",
              `Cannot listen on ${host}:${wanted} (${name}): ${cause.message}`,
              { cause },
            ),
      );
    });
    server.listen({ port: wanted, host, exclusive: true }, () => {
      const address = server.address();
      const port = typeof address === "object" && address ? address.port : wanted;
      server.close(() => resolve(port));
    });
  });
}
