import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A way to a server that can be shut: connections break, new ones are refused, until it is opened again. */
export interface TcpGate {
  readonly port: number;
  open(): Promise<void>;
  shut(): Promise<void>;
}

/** A gate in front of a host and port; it starts shut, its port reserved by having been open once. */
export async function makeTcpGate(host: string, port: number): Promise<TcpGate> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port, host);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
  });
  const listen = async (at: number): Promise<void> => {
    server.listen(at, "127.0.0.1");
    await once(server, "listening");
  };
  const shut = async (): Promise<void> => {
    if (!server.listening) return;
    server.close();
    for (const socket of sockets) socket.destroy();
    await once(server, "close");
  };
  await listen(0);
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the gate has no port");
  await shut();
  return { port: address.port, open: () => listen(address.port), shut };
}
