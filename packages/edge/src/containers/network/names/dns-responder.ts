/** Responds to the queries of a container. */
import type { Socket as UdpSocket } from "node:dgram";
import type { Socket } from "node:net";
import { createResponse, parseQuery, type Question, type Resolution } from "./dns-message.ts";

type Resolve = (question: Question) => Promise<Resolution>;

async function respond(query: Buffer, resolve: Resolve, overUdp: boolean): Promise<Buffer | undefined> {
  // Without an id there is no response.
  if (query.length < 12) return undefined;
  const question = parseQuery(query);
  return createResponse(query, question === undefined ? "unsupported" : await resolve(question), overUdp);
}

export function respondByUdp(socket: UdpSocket, resolve: Resolve): void {
  socket.on("error", () => {});
  socket.on("message", async (query, { address, port }) => {
    const response = await respond(query, resolve, true);
    // The container may have ended.
    if (response !== undefined) trySend(socket, response, port, address);
  });
}

function trySend(socket: UdpSocket, ...sent: [response: Buffer, port: number, address: string]): void {
  try {
    socket.send(...sent);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_SOCKET_DGRAM_NOT_RUNNING") throw error;
  }
}

/** Each message follows its length. */
export function respondByTcp(socket: Socket, resolve: Resolve): void {
  let received = Buffer.alloc(0);
  socket.on("error", () => socket.destroy());
  socket.on("end", () => socket.end());
  socket.on("data", (bytes: Buffer) => {
    received = Buffer.concat([received, bytes]);
    while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
      const end = 2 + received.readUInt16BE(0);
      void respond(received.subarray(2, end), resolve, false).then((response) => {
        if (response === undefined) return void socket.destroy();
        const length = Buffer.alloc(2);
        length.writeUInt16BE(response.length);
        if (socket.writable) socket.write(Buffer.concat([length, response]));
      });
      received = received.subarray(end);
    }
  });
}
