import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { connect, createServer, type TLSSocket } from "node:tls";
import { listen } from "@tenantry/std/listening";
import { expect, onTestFinished, test } from "vitest";
import { Authority } from "./authority.ts";

/** Connects to a server with the authority's certificate of a host, as a client that trusts only the authority. */
async function connectTo(authority: Authority, host: string, expected = host): Promise<TLSSocket> {
  const server = createServer({ SNICallback: (_, done) => done(null, authority.contextOf(host)) }, (socket) =>
    socket.end(),
  );
  onTestFinished(() => void server.close());
  const port = await listen(server, { port: 0 });
  const socket = connect({ port, host: "127.0.0.1", servername: expected, ca: authority.certificate });
  await once(socket, "secureConnect");
  return socket;
}

test("issues certificates that a client with the authority verifies", async () => {
  const authority = new Authority();
  const certificate = new X509Certificate(authority.certificate);
  expect([certificate.ca, certificate.verify(certificate.publicKey)]).toEqual([true, true]);
  const socket = await connectTo(authority, "api.example.com");
  expect(socket.authorized).toBe(true);
  socket.destroy();
  await expect(connectTo(authority, "api.example.com", "other.example.com")).rejects.toThrow("does not match");
  await expect(connectTo(authority, "a".repeat(63).concat(".example.com"))).resolves.toMatchObject({
    authorized: true,
  });
});

test.each(["93.184.216.34", "2606:2800:220:1::1", "::1"])("names the IP address %s", (address) => {
  const authority = new Authority();
  const { context } = authority.contextOf(address) as unknown as { context: { getCertificate(): Buffer } };
  expect(new X509Certificate(context.getCertificate()).checkIP(address)).toBeDefined();
});

test("reuses a host's certificate until it expires", () => {
  let now = Date.now();
  const authority = new Authority(() => now);
  const first = authority.contextOf("api.example.com");
  expect(authority.contextOf("api.example.com")).toBe(first);
  now += 365 * 86_400_000;
  expect(authority.contextOf("api.example.com")).not.toBe(first);
});
