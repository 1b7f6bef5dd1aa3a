/** Stale reads of key-value namespaces, on the connections between Workers and their storage. */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { BoundedMap } from "@tenantry/std/bounded-map";
import { closeAndCut, listen } from "@tenantry/std/listening";
import { EXPIRATION_HEADER, METADATA_HEADER } from "../cloudflare/kinds/kv/port.ts";
import { requestHeaders, responseHeaders } from "../http/end-to-end.ts";
import { MAX_HEAD_BYTES, workerdAgent } from "../http/relay.ts";
import { NAME_HEADER, type Storage } from "../runtime/storage.ts";
import type { Weather } from "./weather.ts";

/** The default of `cacheTtl` (developers.cloudflare.com/kv/api/read-key-value-pairs/). */
const CACHE_S = 60;
const MAX_CACHED = 10_000;

interface Read {
  status: number;
  headers: string[];
  body: Buffer;
  metadata: string;
  /** Seconds since the epoch; 0 for never. */
  expiration: number;
}

export interface KvWeather extends Pick<Storage, "binding"> {
  stop(): Promise<void>;
}

/**
 * Starts a relay in front of the storage. It also caches what Workers read, as another location does. A read within `cacheTtl` of a value that
 * has changed may get the cached value.
 */
export async function startKvWeather(storage: Storage, weather: Weather): Promise<KvWeather> {
  const elsewhere = new BoundedMap<string, { at: number; read: Read }>(MAX_CACHED);

  function readFor(url: URL, namespace: string, current: Read): Read {
    const now = weather.now();
    const id = `${namespace} ${url.pathname}`;
    const cacheTtl = Number(url.searchParams.get("cache_ttl") ?? CACHE_S);
    const cached = elsewhere.get(id);
    if (cached === undefined || now - cached.at >= weather.duration(cacheTtl * 1000)) {
      elsewhere.set(id, { at: now, read: current });
      return current;
    }
    const { read } = cached;
    const isExpired = read.expiration > 0 && read.expiration * 1000 <= now;
    if (isExpired || isSame(read, current)) return current;
    return weather.next("kv", `read ${decodeURIComponent(url.pathname.slice(1))}`) === undefined ? current : read;
  }

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const current = await relay(storage.port, incoming);
    const url = new URL(incoming.url ?? "/", "http://kv");
    // Lists and bulk reads have no key in the path.
    const isRead = incoming.method === "GET" && url.pathname !== "/" && [200, 404].includes(current.status);
    const { status, headers, body } = isRead ? readFor(url, String(incoming.headers[NAME_HEADER]), current) : current;
    outgoing.writeHead(status, headers).end(body);
  }

  const server = createServer(
    { requestTimeout: 0, headersTimeout: 0, maxHeaderSize: MAX_HEAD_BYTES },
    (incoming, outgoing) => void serve(incoming, outgoing).catch(() => outgoing.destroy()),
  );
  const port = await listen(server, { port: 0 });
  return {
    binding: (type, name, target) => storage.binding(type, name, target, type === "kvNamespace" ? port : undefined),
    stop: () => closeAndCut(server),
  };
}

function isSame(a: Read, b: Read): boolean {
  return a.status === b.status && a.metadata === b.metadata && a.body.equals(b.body);
}

async function relay(port: number, incoming: IncomingMessage): Promise<Read> {
  const { method, url: path } = incoming;
  const body = await buffer(incoming);
  const headers = { ...requestHeaders(incoming.headersDistinct), "content-length": body.byteLength };
  return new Promise((resolve, reject) => {
    const sent = request({ agent: workerdAgent, host: "127.0.0.1", port, method, path, headers }, (response) => {
      const { statusCode: status = 0, rawHeaders } = response;
      const metadata = String(response.headers[METADATA_HEADER] ?? "");
      const expiration = Number(response.headers[EXPIRATION_HEADER] ?? 0);
      buffer(response).then(
        (received) => resolve({ status, headers: responseHeaders(rawHeaders), body: received, metadata, expiration }),
        reject,
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
