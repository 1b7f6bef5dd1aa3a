import { createSocket } from "node:dgram";
import { expect, onTestFinished, test } from "vitest";
import { resolveHost } from "#conformance/run/visit.ts";

const NAME_ERROR = 3;

/** Each label with its length before it. */
const wireName = (host: string): Buffer =>
  Buffer.concat(host.split(".").map((label) => Buffer.from([label.length, ...Buffer.from(label)])));

/** A name server that knows one host, and answers 192.0.2.7 for it. @returns its address with the port */
async function nameServer(known: string): Promise<string> {
  const socket = createSocket("udp4");
  socket.on("message", (query, { port, address }) => {
    const question = query.subarray(12, query.indexOf(0, 12) + 5);
    const isKnown = question.subarray(0, -5).equals(wireName(known));
    const head = Buffer.from(query.subarray(0, 12));
    head.writeUInt16BE(isKnown ? 0x8580 : 0x8580 | NAME_ERROR, 2);
    head.writeUInt32BE(isKnown ? 0x00010001 : 0x00010000, 4);
    head.writeUInt32BE(0, 8);
    const answer = isKnown ? Buffer.from("c00c0001000100000000" + "0004c0000207", "hex") : Buffer.alloc(0);
    socket.send(Buffer.concat([head, question, answer]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  onTestFinished(() => void socket.close());
  return `127.0.0.1:${socket.address().port}`;
}

test("resolves a host by the zone's own name servers", async () => {
  const server = await nameServer("new.example.com");
  expect(await resolveHost([server], "new.example.com")).toBe("192.0.2.7");
  expect(await resolveHost([server], "missing.example.com")).toBeUndefined();
});
