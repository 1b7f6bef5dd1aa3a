/** Connections of a container to the outside: to the Worker when workerd intercepts them, else to the internet. */
import { request as httpRequest } from "node:http";
import { connect, isIPv6, type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { Authority } from "./authority.ts";
import { respondToConnect } from "./connect-refusal.ts";
import { type Kind, kindOf, MAX_HEAD_BYTES } from "./first-bytes.ts";
import { endLate } from "./late-ends.ts";
import type { Internet } from "./names/internet.ts";
import { EVERY_NAME, isIntercepted, type NameRules, type Names } from "./names/names.ts";
import { isLoopback, isPublic, unmapped } from "./public-address.ts";

/** How long a client may wait for the server to speak first, on ports of other protocols than HTTP. */
const SILENCE_MS = 300;
const HTTP_PORT = 80;
const HTTP_PORTS = [HTTP_PORT, 443];
/** Multicast, to which TCP cannot connect (RFC 1122, section 4.2.3.10). In no range that a Worker intercepts but that of all addresses. */
const NOWHERE = "ff0e::1";
/** workerd ends the connection in HTTP. */
const INTERCEPTED = 200;
/** workerd does not. */
const PASSED = 202;

export interface Outside {
  /** Port of workerd for intercepted connections; `undefined` until workerd sends it. */
  egressPort: number | undefined;
  rules: NameRules;
  authority: Authority;
  names: Names;
  internet: Internet;
}

interface First {
  bytes: Buffer;
  kind: Kind;
}

interface Offered {
  tunnel: Socket;
  /** Otherwise the tunnel leads to the destination. */
  isIntercepted: boolean;
}

interface Destination {
  address: string;
  port: number;
  /** The name that the container looked up, when the address stands for it. */
  name: string | undefined;
}

/** Passes a connection to its destination, which is its local address. Never throws; a refused connection is reset. */
export async function intercept(client: Socket, outside: Outside): Promise<void> {
  const address = unmapped(client.localAddress ?? "");
  const to = { address, port: client.localPort ?? 0, name: outside.names.nameOf(address) };
  client.on("error", () => client.destroy());
  // A listener of this process is not a program of the container.
  if (to.address === "" || isLoopback(to.address)) return reset(client);
  const first = await readFirst(client, HTTP_PORTS.includes(to.port) ? undefined : SILENCE_MS);
  if (first === undefined) return void client.destroy();
  try {
    const offered = isOffered(first.kind, to, outside.rules) ? await offer(to, first.kind, outside) : undefined;
    if (client.destroyed) return void offered?.tunnel.destroy();
    if (offered?.isIntercepted === true) return await intercepted(client, first, offered.tunnel, outside);
    // workerd has connected to the address. It does not know the names.
    if (offered !== undefined && to.name === undefined && isPublic(to.address)) {
      if (first.bytes.length > 0) client.unshift(first.bytes);
      return pipeBoth(client, offered.tunnel);
    }
    offered?.tunnel.destroy();
    await passThrough(client, first.bytes, to, outside);
  } catch {
    reset(client);
  }
}

/** Returns the name in a connection that the vendor's sidecar sends to workerd: of HTTP on port 80 only (`main.go` of cloudflare/proxy-everything). */
const hintOf = (kind: Kind, port: number): string | undefined =>
  kind.kind === "tls" || (kind.kind === "http" && port === HTTP_PORT) ? kind.host : undefined;

/**
 * Whether workerd may intercept a connection. If the container may reach the internet, workerd connects at once to the destination of any other, also to a
 * private one. So it gets only what it can intercept: by an address, HTTP and TLS on ports 80 and 443 (vendor: "Handle outbound traffic").
 */
function isOffered(kind: Kind, { address, port, name }: Destination, rules: NameRules): boolean {
  const hint = hintOf(kind, port);
  if (hint !== undefined && isIntercepted(hint, rules)) return true;
  if (!rules.allowHostnames.includes(EVERY_NAME)) return false;
  if (!rules.internet) return true;
  return HTTP_PORTS.includes(port) && (kind.kind !== "other" || name !== undefined || isPublic(address));
}

async function intercepted(client: Socket, { bytes, kind }: First, tunnel: Socket, { authority }: Outside) {
  if (bytes.length > 0) client.unshift(bytes);
  // Without a name the vendor's sidecar passes TLS on, which workerd cannot parse.
  if (kind.kind !== "tls" || kind.host === undefined) return serve(client, kind, tunnel, client);
  const secured = endTls(client, tunnel, authority, kind.host);
  const inner = await readFirst(secured, undefined);
  if (inner === undefined) {
    tunnel.destroy();
    secured.destroy();
    return;
  }
  secured.unshift(inner.bytes);
  serve(secured, inner.kind, tunnel, client);
}

/** @param transport of `client`, when it is secured */
function serve(client: Socket, kind: Kind, tunnel: Socket, transport: Socket): void {
  if (kind.kind === "http" && kind.method === "CONNECT") {
    tunnel.destroy();
    respondToConnect(client);
  } else joinTunnel(client, tunnel, transport);
}

/** @param silenceMs without a byte, after which the server may speak first. Default: it never does */
function readFirst(client: Socket, silenceMs: number | undefined): Promise<First | undefined> {
  return new Promise((resolve) => {
    let bytes = Buffer.alloc(0);
    const settle = (kind: Kind | undefined) => {
      clearTimeout(timer);
      client.off("data", onData).off("end", onEnd).off("close", onEnd);
      client.pause();
      resolve(kind && { bytes, kind });
    };
    const onData = (chunk: Buffer) => {
      clearTimeout(timer);
      bytes = Buffer.concat([bytes, chunk]);
      const kind = kindOf(bytes) ?? (bytes.length > MAX_HEAD_BYTES ? { kind: "other" as const } : undefined);
      if (kind !== undefined) settle(kind);
    };
    const onEnd = () => settle(undefined);
    const timer = silenceMs === undefined ? undefined : setTimeout(() => settle({ kind: "other" }), silenceMs);
    client.on("data", onData).on("end", onEnd).on("close", onEnd);
  });
}

/** Offers a connection to workerd. @throws Error when workerd cannot be reached */
function offer(to: Destination, kind: Kind, { egressPort, rules }: Outside): Promise<Offered> {
  if (egressPort === undefined) return Promise.reject(new Error("no Worker uses the container"));
  // The address of a name is not one of the internet.
  const address = to.name !== undefined && rules.internet ? NOWHERE : to.address;
  const host = isIPv6(address) ? `[${address}]` : address;
  const hint = hintOf(kind, to.port);
  const headers = hint === undefined ? {} : { [kind.kind === "tls" ? "x-tls-sni" : "x-hostname"]: hint };
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      ...{ method: "CONNECT", host: "127.0.0.1", port: egressPort, agent: false, headers },
      path: `${host}:${to.port}`,
    });
    request.once("error", reject);
    request.once("connect", ({ statusCode }, tunnel: Socket) => {
      tunnel.on("error", () => tunnel.destroy());
      if (statusCode === INTERCEPTED || statusCode === PASSED)
        return resolve({ tunnel, isIntercepted: statusCode === INTERCEPTED });
      tunnel.destroy();
      reject(new Error(`workerd refused a connection: ${statusCode}`));
    });
    request.end();
  });
}

function endTls(client: Socket, tunnel: Socket, authority: Authority, host: string): TLSSocket {
  const secured = new TLSSocket(client, {
    isServer: true,
    secureContext: authority.contextOf(host),
    ALPNProtocols: ["http/1.1"],
  });
  secured.on("error", () => {
    client.destroy();
    tunnel.resetAndDestroy();
  });
  return secured;
}

function joinTunnel(client: Socket, tunnel: Socket, transport: Socket): void {
  tunnel.setNoDelay(true);
  tunnel.pipe(client);
  client.pipe(tunnel, { end: false });
  client.once("end", () => endLate(tunnel));
  client.once("close", () => {
    if (!tunnel.destroyed) tunnel.resetAndDestroy();
  });
  // An incomplete response must not seem complete.
  tunnel.once("close", () => {
    if (!tunnel.readableEnded) reset(transport);
    else client.end();
  });
}

async function passThrough(client: Socket, bytes: Buffer, to: Destination, outside: Outside): Promise<void> {
  if (!outside.rules.internet) return reset(client);
  const server = await serverOf(to, outside);
  if (client.destroyed) return;
  if (server === undefined) return reset(client);
  const remote = connect({ ...server, noDelay: true, allowHalfOpen: true });
  remote.once("error", () => reset(client));
  if (bytes.length > 0) remote.write(bytes);
  pipeBoth(client, remote);
}

function pipeBoth(client: Socket, remote: Socket): void {
  client.once("close", () => remote.destroy());
  remote.once("close", () => client.destroySoon());
  client.pipe(remote).pipe(client);
}

/**
 * Returns a server of the internet, or the stand-in of one. Others are never reached, also not by a name, which is resolved once. The vendor's sidecar passes
 * what is not HTTP to the address of an intercepted name, too; here it ends.
 */
async function serverOf({ address, port, name }: Destination, { internet, names, rules }: Outside) {
  if (name !== undefined && isIntercepted(name, rules)) return undefined;
  const standIn = name === undefined ? undefined : internet.find(name, port);
  if (standIn !== undefined) return standIn;
  const addresses = name === undefined ? [address] : await names.outside(name);
  const host = addresses.find(isPublic);
  return host === undefined ? undefined : { host, port };
}

function reset(client: Socket): void {
  if (!client.destroyed) client.resetAndDestroy();
}
