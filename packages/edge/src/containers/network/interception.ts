/** Connections of a container to the outside: to the Worker when workerd intercepts them, else to the internet. */
import { request as httpRequest } from "node:http";
import { connect, isIPv6, type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { Authority } from "./authority.ts";
import { type Kind, kindOf, MAX_HEAD_BYTES } from "./first-bytes.ts";
import { endLate } from "./late-ends.ts";
import type { Internet } from "./names/internet.ts";
import { matchesGlob, type NameRules, type Names } from "./names/names.ts";
import { isLoopback, isPublic, unmapped } from "./public-address.ts";

/** How long a client may wait for the server to speak first, on ports of other protocols than HTTP. */
const SILENCE_MS = 300;
const HTTP_PORTS = [80, 443];
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
  const { kind } = first;
  const isMapped = ({ host }: { host?: string | undefined }) =>
    outside.rules.allowHostnames.some((glob) => glob === "*" || (host !== undefined && matchesGlob(glob, host)));
  try {
    const tunnel = isMapped(kind.kind === "other" ? {} : kind)
      ? await openTunnel(outside.egressPort, to, kind)
      : undefined;
    if (client.destroyed) return void tunnel?.destroy();
    if (tunnel === undefined) return await passThrough(client, first.bytes, to, outside);
    if (first.bytes.length > 0) client.unshift(first.bytes);
    if (kind.kind === "tls") endTls(client, tunnel, outside.authority, kind.host ?? to.address);
    else joinTunnel(client, tunnel);
  } catch {
    reset(client);
  }
}

/** @param silenceMs without a byte, after which the server may speak first. Default: it never does */
function readFirst(client: Socket, silenceMs: number | undefined): Promise<{ bytes: Buffer; kind: Kind } | undefined> {
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

/** Offers a connection to workerd. @returns undefined when it does not intercept it @throws Error when workerd cannot be reached */
function openTunnel(egressPort: number | undefined, to: Destination, kind: Kind): Promise<Socket | undefined> {
  if (egressPort === undefined) return Promise.reject(new Error("no Worker uses the container"));
  const host = isIPv6(to.address) ? `[${to.address}]` : to.address;
  const hint = kind.kind === "other" ? undefined : kind.host;
  const headers = hint === undefined ? {} : { [kind.kind === "tls" ? "x-tls-sni" : "x-hostname"]: hint };
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      ...{ method: "CONNECT", host: "127.0.0.1", port: egressPort, agent: false, headers },
      path: `${host}:${to.port}`,
    });
    request.once("error", reject);
    request.once("connect", ({ statusCode }, socket: Socket) => {
      socket.on("error", () => socket.destroy());
      if (statusCode === INTERCEPTED) return resolve(socket);
      socket.destroy();
      if (statusCode === PASSED) resolve(undefined);
      else reject(new Error(`workerd refused a connection: ${statusCode}`));
    });
    request.end();
  });
}

function endTls(client: Socket, tunnel: Socket, authority: Authority, host: string): void {
  const secured = new TLSSocket(client, {
    isServer: true,
    secureContext: authority.contextOf(host),
    ALPNProtocols: ["http/1.1"],
  });
  secured.on("error", () => {
    client.destroy();
    tunnel.resetAndDestroy();
  });
  joinTunnel(secured, tunnel, client);
}

/** @param transport of `client`, when it is secured */
function joinTunnel(client: Socket, tunnel: Socket, transport: Socket = client): void {
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
  client.once("close", () => remote.destroy());
  remote.once("close", () => client.destroySoon());
  if (bytes.length > 0) remote.write(bytes);
  client.pipe(remote).pipe(client);
}

/** Returns a server of the internet, or the stand-in of one. Others are never reached, also not by a name. */
async function serverOf({ address, port, name }: Destination, { internet, names }: Outside) {
  const standIn = name === undefined ? undefined : internet.find(name, port);
  if (standIn !== undefined) return standIn;
  const addresses = name === undefined ? [address] : await names.outside(name);
  const host = addresses.find(isPublic);
  return host === undefined ? undefined : { host, port };
}

function reset(client: Socket): void {
  if (!client.destroyed) client.resetAndDestroy();
}
