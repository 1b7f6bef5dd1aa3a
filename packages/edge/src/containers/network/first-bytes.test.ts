import { once } from "node:events";
import { connect as connectPlain, createServer } from "node:net";
import { connect } from "node:tls";
import { listen } from "@tenantry/std/listening";
import { expect, onTestFinished, test } from "vitest";
import { kindOf, MAX_HEAD_BYTES } from "./first-bytes.ts";

const http = (text: string) => kindOf(Buffer.from(text.replaceAll("\n", "\r\n"), "latin1"));

test.each([
  ["GET / HTTP/1.1\nHost: api.example.com\n\n", "api.example.com"],
  ["GET / HTTP/1.1\naccept: */*\nhOsT:  API.example.com:8080 \n\nbody", "api.example.com"],
  ["GET http://other.example/x HTTP/1.1\nHost: api.example.com\n\n", "other.example"],
  ["POST /x HTTP/1.1\nHost: [2606:2800:220:1::1]:80\n\n", "[2606:2800:220:1::1]"],
  ["GET / HTTP/1.0\n\n", undefined],
  ["GET / HTTP/1.1\nHost: user@evil.example\n\n", undefined],
  ["GET / HTTP/1.1\nHost: a b\n\n", undefined],
])("finds the host of the request %j", (text, host) => {
  expect(http(text)).toEqual({ kind: "http", method: text.split(" ")[0], host });
});

test("waits for a complete head, up to a limit", () => {
  for (const part of ["", "G", "GET", "GET / HTTP/1.1\nHost: api.example.com\n"]) expect(http(part)).toBeUndefined();
  expect(http(`GET / HTTP/1.1\nx: ${"x".repeat(MAX_HEAD_BYTES)}`)).toEqual({ kind: "other" });
});

test.each([
  "SSH-2.0-OpenSSH_9.2\n",
  "PASS secret\n",
  "NICK agent\nUSER agent 0 * :agent\n",
  "\0\0",
  "PRI * HTTP/2.0\n\n",
  "GET  \n\n",
])("does not take %j for HTTP", (text) => expect(http(text)).toEqual({ kind: "other" }));

/** Returns the first message that Node.js sends to a TLS server. */
async function clientHello(servername: string | undefined, padding = 0): Promise<Buffer> {
  const server = createServer();
  onTestFinished(() => void server.close());
  const port = await listen(server, { port: 0 });
  const accepted = once(server, "connection");
  const ALPNProtocols = Array.from({ length: padding }, (_, index) => `${"x".repeat(200)}${index}`);
  const client = connect({ socket: connectPlain(port), ...(servername && { servername }), ALPNProtocols });
  client.on("error", () => {});
  const [socket] = await accepted;
  const bytes: Buffer[] = [];
  for (let all = Buffer.alloc(0); all.length < 5 || all.length < 5 + all.readUInt16BE(3); all = Buffer.concat(bytes)) {
    const [chunk] = await once(socket, "data");
    bytes.push(chunk);
  }
  client.destroy();
  return Buffer.concat(bytes);
}

test("finds the server name of TLS, and waits for the complete message", async () => {
  const hello = await clientHello("API.example.com", 20);
  expect(kindOf(hello)).toEqual({ kind: "tls", host: "api.example.com" });
  for (const length of [1, 5, 9, 40, hello.length - 1]) expect(kindOf(hello.subarray(0, length))).toBeUndefined();
  expect(kindOf(await clientHello(undefined))).toEqual({ kind: "tls", host: undefined });
});

test("finds the server name of a message in several records", async () => {
  const hello = await clientHello("api.example.com");
  const message = hello.subarray(5);
  const records = [message.subarray(0, 7), message.subarray(7)].map((part) =>
    Buffer.concat([hello.subarray(0, 3), Buffer.from([part.length >> 8, part.length & 255]), part]),
  );
  expect(kindOf(Buffer.concat(records))).toEqual({ kind: "tls", host: "api.example.com" });
});

test("finds no name in invalid TLS", async () => {
  const hello = await clientHello("api.example.com");
  const cut = Buffer.concat([hello.subarray(0, 3), Buffer.from([0, 10, 1, 0, 0, 6]), hello.subarray(9, 15)]);
  for (const bytes of [cut, Buffer.from("160301000502000000", "hex"), Buffer.from("16030100040100ffff", "hex")])
    expect(kindOf(bytes)).not.toMatchObject({ host: expect.anything() });
});
