/** Accesses a KV namespace by the protocol of a Worker's binding. All methods throw the store's error message. */
import * as z from "zod";
import { asciiJson } from "#http/ascii-json.ts";
import type { Storage, StorageAnswer } from "#runtime/storage.ts";
import type { KvPort } from "../../api/runtime-port.ts";

export const METADATA_HEADER = "cf-kv-metadata";
export const EXPIRATION_HEADER = "cf-expiration";

const page = z.object({
  keys: z.array(z.object({ name: z.string(), expiration: z.number().optional(), metadata: z.string().optional() })),
  cursor: z.string().optional(),
});

export function kvPort(storage: Storage, namespaceId: string): KvPort {
  const path = (key: string, query: Record<string, string> = {}) =>
    `/${encodeURIComponent(key)}?${new URLSearchParams({ urlencoded: "true", ...query })}`;
  return {
    async get(key) {
      const answer = await storage.fetch("kv", namespaceId, { method: "GET", path: path(key) });
      if (answer.status === 404) return undefined;
      requireStored(answer);
      const metadata = answer.headers[METADATA_HEADER];
      const expiration = answer.headers[EXPIRATION_HEADER];
      return {
        value: answer.body,
        metadata:
          typeof metadata === "string" ? parseJson(Buffer.from(metadata, "latin1").toString("utf8")) : undefined,
        expiration: typeof expiration === "string" ? Number(expiration) : undefined,
      };
    },
    async put(key, value, options) {
      const query: Record<string, string> = {};
      if (options.expiration !== undefined) query.expiration = String(options.expiration);
      if (options.expirationTtl !== undefined) query.expiration_ttl = String(options.expirationTtl);
      const headers: Record<string, string> =
        options.metadata === undefined ? {} : { [METADATA_HEADER]: asciiJson(options.metadata) };
      requireStored(
        await storage.fetch("kv", namespaceId, { method: "PUT", path: path(key, query), headers, body: value }),
      );
    },
    async delete(key) {
      requireStored(await storage.fetch("kv", namespaceId, { method: "DELETE", path: path(key) }));
    },
    async list(options) {
      const query = new URLSearchParams({ key_count_limit: String(options.limit) });
      if (options.prefix !== undefined) query.set("prefix", options.prefix);
      if (options.cursor !== undefined) query.set("cursor", options.cursor);
      const answer = requireStored(await storage.fetch("kv", namespaceId, { method: "GET", path: `/?${query}` }));
      const read = page.parse(JSON.parse(answer.body.toString("utf8")));
      const keys = read.keys.map(({ metadata, ...key }) => ({
        ...key,
        metadata: metadata === undefined ? undefined : parseJson(metadata),
      }));
      return { keys, cursor: read.cursor };
    },
  };
}

const parseJson = (text: string): unknown => z.unknown().parse(JSON.parse(text));

function requireStored(answer: StorageAnswer): StorageAnswer {
  if (answer.status >= 400)
    throw new Error(answer.body.toString("utf8") || `The KV store responded with status ${answer.status}.`);
  return answer;
}
