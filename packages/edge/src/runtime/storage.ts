import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import type { Log } from "@tenantry/std/log";
import { workerdAgent } from "../http/relay.ts";
import { EdgeLimits } from "../limits/edge-limits.ts";
import { type StorageRelay, startStorageRelay } from "./storage-relay.ts";
import { type NativeBinding, nativeBindings } from "./worker/native-bindings.ts";
import { type Scratch, startWorkerd, type Workerd } from "./workerd/workerd.ts";

type StorageKind = "kv" | "r2";

const SECRET_HEADER = "x-edge-secret";
const KIND_HEADER = "x-edge-kind";
/** Namespace or bucket of a request. */
export const NAME_HEADER = "x-edge-name";

/** In requests of the API, which has no limit of writes by key. */
const UNLIMITED_HEADER = "x-edge-unlimited";

const WORKER = `
/** Times of writes by namespace and key, oldest first. */
const written = new Map();

function isTooFrequent(name, key, interval) {
  const now = Date.now();
  for (const [other, time] of written) {
    if (now - time < interval) break;
    written.delete(other);
  }
  const id = name + "/" + key;
  if (written.has(id)) return true;
  written.set(id, now);
  return false;
}

export default {
  async fetch(request, env) {
    const encoder = new TextEncoder();
    const sent = encoder.encode(request.headers.get("${SECRET_HEADER}") ?? "");
    const secret = encoder.encode(env.SECRET);
    if (sent.byteLength !== secret.byteLength || !crypto.subtle.timingSafeEqual(sent, secret)) {
      return new Response("Forbidden", { status: 403 });
    }
    const isKv = request.headers.get("${KIND_HEADER}") === "kv";
    const objects = isKv ? env.KV_OBJECTS : env.R2_OBJECTS;
    const name = decodeURIComponent(request.headers.get("${NAME_HEADER}"));
    if (isKv && request.method === "PUT" && !request.headers.has("${UNLIMITED_HEADER}")) {
      const key = new URL(request.url).pathname;
      if (isTooFrequent(name, key, env.WRITE_INTERVAL)) {
        return new Response("Too Many Requests", { status: 429, statusText: "Too Many Requests" });
      }
    }
    return objects.get(objects.idFromName(name)).fetch(request, { cf: { miniflare: { name } } });
  },
};
`;

export interface StorageAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/**
 * The process of all key-value namespaces and buckets. Workers reach it by their bindings and the API by {@link Storage.fetch}, with the same
 * protocol, so both see the same data and each data file has one owner.
 */
export class Storage {
  readonly #workerd: Workerd;
  readonly #port: number;
  readonly #relay: StorageRelay;
  readonly #secret: string;

  private constructor(workerd: Workerd, port: number, relay: StorageRelay, secret: string) {
    this.#workerd = workerd;
    this.#port = port;
    this.#relay = relay;
    this.#secret = secret;
  }

  /** @param o.directory folder of `kv/` and `r2/` */
  static async start(o: { directory: string; scratch: Scratch; limits?: EdgeLimits; log: Log }): Promise<Storage> {
    const { limits = new EdgeLimits() } = o;
    const secret = randomBytes(32).toString("base64url");
    for (const kind of ["kv", "r2"]) mkdirSync(join(o.directory, kind), { recursive: true, mode: 0o700 });
    const workerd = await startWorkerd({
      scratch: o.scratch,
      label: "storage",
      log: o.log,
      options: {
        kvPersist: join(o.directory, "kv"),
        r2Persist: join(o.directory, "r2"),
        workers: [
          {
            name: "storage",
            modules: true,
            script: WORKER,
            compatibilityDate: "2026-01-01",
            bindings: { SECRET: secret, WRITE_INTERVAL: 1_000 / limits.valueOf("kvKeyWrites") },
            // Miniflare adds its storage objects only when one is bound.
            kvNamespaces: { ANY_NAMESPACE: "-" },
            r2Buckets: { ANY_BUCKET: "-" },
            unsafeBindings: nativeBindings([
              { type: "object", name: "KV_OBJECTS", options: { service: "kv:ns", className: "KVNamespaceObject" } },
              { type: "object", name: "R2_OBJECTS", options: { service: "r2:bucket", className: "R2BucketObject" } },
            ]),
            unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
          },
        ],
      },
    });
    const port = await workerd.port("storage");
    return new Storage(workerd, port, await startStorageRelay(port), secret);
  }

  /** Port of the process itself. Workers reach it by a relay. */
  get port(): number {
    return this.#port;
  }

  /** Returns a binding to the namespace or bucket `target`. @param port of another relay */
  binding(type: "kvNamespace" | "r2Bucket", name: string, target: string, port = this.#relay.port): NativeBinding {
    const headers = this.#headers(type === "kvNamespace" ? "kv" : "r2", target);
    const injected = Object.entries(headers).map(([header, value]) => ({ name: header, value }));
    return { type, name, options: { address: `127.0.0.1:${port}`, headers: injected } };
  }

  fetch(
    kind: StorageKind,
    target: string,
    ask: { method: string; path: string; headers?: Record<string, string>; body?: Uint8Array },
  ): Promise<StorageAnswer> {
    const length = { "content-length": ask.body?.byteLength ?? 0 };
    const headers = { ...this.#headers(kind, target), [UNLIMITED_HEADER]: "1", ...ask.headers, ...length };
    const { method, path } = ask;
    return new Promise((resolve, reject) => {
      const sent = request(
        { agent: workerdAgent, host: "127.0.0.1", port: this.#port, method, path, headers },
        (response) => {
          const status = response.statusCode ?? 0;
          buffer(response).then((body) => resolve({ status, headers: response.headers, body }), reject);
        },
      );
      sent.on("error", reject);
      sent.end(ask.body);
    });
  }

  async stop(): Promise<void> {
    await this.#workerd.stop();
    await this.#relay.stop();
  }

  #headers(kind: StorageKind, target: string): Record<string, string> {
    return { [SECRET_HEADER]: this.#secret, [KIND_HEADER]: kind, [NAME_HEADER]: encodeURIComponent(target) };
  }
}
