/** Requests to hosts of a zone. */
import { Resolver, resolve4 } from "node:dns/promises";
import { request } from "node:https";
import { text } from "node:stream/consumers";
import { sendRequest } from "@tenantry/std/send-request";

export interface Visited {
  /** 0 if the host does not respond yet. */
  status: number;
  body: string;
}

export interface Visit {
  host: string;
  path: string;
  headers?: Readonly<Record<string, string>>;
}

const REQUEST_MS = 30_000;
const NAME = /[a-z]/i;

/**
 * Returns a host's address by the zone's own name servers, because others cache for half an hour that a new host does not exist.
 * @param nameServers names, or addresses with a port
 * @returns undefined if the host does not exist yet
 */
export async function resolveHost(nameServers: readonly string[], host: string): Promise<string | undefined> {
  const addresses = await Promise.all(nameServers.map((name) => (NAME.test(name) ? resolve4(name) : [name])));
  const resolver = new Resolver({ timeout: 5_000, tries: 2 });
  resolver.setServers(addresses.flat());
  return resolver.resolve4(host).then(
    ([address]) => address,
    () => undefined,
  );
}

/** Sends a GET request by HTTPS. @param nameServers of the zone */
export async function visitZone(
  { host, path, headers = {} }: Visit,
  nameServers: readonly string[],
  cancelled: AbortSignal,
): Promise<Visited> {
  const address = await resolveHost(nameServers, host);
  if (address === undefined) return { status: 0, body: "" };
  const signal = AbortSignal.any([cancelled, AbortSignal.timeout(REQUEST_MS)]);
  const sent = new Promise<Visited>((resolve, reject) => {
    const outgoing = request(
      { host: address, servername: host, path, headers: { ...headers, host }, agent: false, signal },
      (response) => {
        text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
      },
    );
    outgoing.on("error", reject);
    outgoing.end();
  });
  return sent.catch((error: unknown) => {
    cancelled.throwIfAborted();
    return { status: 0, body: String(error) };
  });
}

/** Sends a GET request to a host of an edge. */
export function visitEdge({ host, path, headers = {} }: Visit, port: number, cancelled: AbortSignal): Promise<Visited> {
  const signal = AbortSignal.any([cancelled, AbortSignal.timeout(REQUEST_MS)]);
  return sendRequest(new URL(`http://${host}:${port}${path}`), { method: "GET", headers, signal });
}
