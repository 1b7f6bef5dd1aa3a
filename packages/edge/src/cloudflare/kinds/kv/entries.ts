import * as z from "zod";
import { ApiError, apiPart, type Call, pageLimit, readBody, successResponse } from "../../api/operations.ts";
import { readForm, readObject } from "../scripts/upload/multipart.ts";
import { findKvNamespace } from "./namespaces.ts";

const invalid = 10012;
const invalidExpiration = 10034;
/** Seconds. */
const shortestTtl = 60;

const expiry = z.object({
  expiration: z.coerce.number().int().positive().exactOptional(),
  expiration_ttl: z.coerce.number().int().min(shortestTtl, `must be at least ${shortestTtl}`).exactOptional(),
});
const bulkPut = z.array(
  expiry.extend({
    key: z.string().min(1),
    value: z.string(),
    base64: z.boolean().default(false),
    metadata: z.unknown().optional(),
  }),
);
const bulkDelete = z.array(z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]));

function checkKey(key: string): void {
  if (key === "." || key === ".." || Buffer.byteLength(key) > 512) {
    throw new ApiError(400, invalid, "The key must be 1 to 512 bytes long and neither . nor ..");
  }
}

function parseExpiry(given: unknown) {
  const parsed = expiry.safeParse(given);
  if (!parsed.success) throw new ApiError(400, invalidExpiration, `expiration: ${parsed.error.issues[0]?.message}`);
  const { expiration, expiration_ttl } = parsed.data;
  if (expiration !== undefined && expiration < Date.now() / 1000 + shortestTtl) {
    throw new ApiError(400, invalidExpiration, `expiration: must be at least ${shortestTtl} seconds from now`);
  }
  return { expiration, expirationTtl: expiration_ttl };
}

async function readValue(call: Pick<Call, "body" | "headers">): Promise<{ value: Uint8Array; metadata?: unknown }> {
  if (!/^multipart\/form-data/i.test(call.headers.get("Content-Type") ?? "")) {
    return { value: call.body };
  }
  const form = await readForm(call);
  const value = form.get("value");
  if (value === null) throw new ApiError(400, invalid, "The part value is missing.");
  const bytes = typeof value === "string" ? new TextEncoder().encode(value) : new Uint8Array(await value.arrayBuffer());
  const metadata = await readObject(form, "metadata");
  return { value: bytes, metadata };
}

export const kvEntriesApi = apiPart({
  title: "KV keys and values",
  operations: {
    "GET /accounts/:account_id/storage/kv/namespaces/:namespace_id/keys": "kv.namespaces.keys.list",
    "GET /accounts/:account_id/storage/kv/namespaces/:namespace_id/values/:key": "kv.namespaces.values.get",
    "PUT /accounts/:account_id/storage/kv/namespaces/:namespace_id/values/:key": "kv.namespaces.values.update",
    "DELETE /accounts/:account_id/storage/kv/namespaces/:namespace_id/values/:key": "kv.namespaces.values.delete",
    "GET /accounts/:account_id/storage/kv/namespaces/:namespace_id/metadata/:key": "kv.namespaces.metadata.get",
    "PUT /accounts/:account_id/storage/kv/namespaces/:namespace_id/bulk": "kv.namespaces.bulkUpdate",
    "POST /accounts/:account_id/storage/kv/namespaces/:namespace_id/bulk/delete": "kv.namespaces.bulkDelete",
    "DELETE /accounts/:account_id/storage/kv/namespaces/:namespace_id/bulk": "-",
  },
  differs: "A write is visible immediately: no eventual consistency.",
  handlers: ({ store, runtime }) => {
    const open = (id: string) => runtime.kv(findKvNamespace(store, id).id);
    const notFound = () => new ApiError(404, 10009, "get: 'key not found'");
    const removeAll = async (id: string, keys: string[]): Promise<Response> => {
      const kv = open(id);
      for (const key of keys) await kv.delete(key);
      return successResponse({ successful_key_count: keys.length, unsuccessful_keys: [] });
    };
    return {
      "GET /accounts/:account_id/storage/kv/namespaces/:namespace_id/keys": async ({ params, query }) => {
        const page = await open(params.namespace_id).list({
          limit: pageLimit(query, "limit", 1000, 1000),
          prefix: query.get("prefix") ?? undefined,
          cursor: query.get("cursor") || undefined,
        });
        return successResponse(page.keys, { count: page.keys.length, cursor: page.cursor ?? "" });
      },
      "GET /accounts/:account_id/storage/kv/namespaces/:namespace_id/values/:key": async ({ params }) => {
        const entry = await open(params.namespace_id).get(params.key);
        if (entry === undefined) throw notFound();
        const expiration = entry.expiration === undefined ? {} : { expiration: String(entry.expiration) };
        const headers = { "Content-Type": "application/octet-stream", ...expiration };
        return new Response(new Uint8Array(entry.value), { headers });
      },
      "PUT /accounts/:account_id/storage/kv/namespaces/:namespace_id/values/:key": async (call) => {
        const { params, query } = call;
        checkKey(params.key);
        const options = parseExpiry(Object.fromEntries(query));
        const { value, metadata } = await readValue(call);
        const kv = open(params.namespace_id);
        await kv.put(params.key, value, { ...options, metadata });
        return successResponse({});
      },
      "DELETE /accounts/:account_id/storage/kv/namespaces/:namespace_id/values/:key": async ({ params }) => {
        await open(params.namespace_id).delete(params.key);
        return successResponse({});
      },
      "GET /accounts/:account_id/storage/kv/namespaces/:namespace_id/metadata/:key": async ({ params }) => {
        const entry = await open(params.namespace_id).get(params.key);
        if (entry === undefined) throw notFound();
        return successResponse(entry.metadata ?? null);
      },
      "PUT /accounts/:account_id/storage/kv/namespaces/:namespace_id/bulk": async (call) => {
        const kv = open(call.params.namespace_id);
        const entries = readBody(call, bulkPut, invalid);
        for (const { key } of entries) checkKey(key);
        const lifetimes = entries.map(parseExpiry);
        for (const [index, { key, value, base64, metadata }] of entries.entries()) {
          const options = { ...lifetimes[index], metadata };
          await kv.put(key, new Uint8Array(Buffer.from(value, base64 ? "base64" : "utf8")), options);
        }
        return successResponse({ successful_key_count: entries.length, unsuccessful_keys: [] });
      },
      "POST /accounts/:account_id/storage/kv/namespaces/:namespace_id/bulk/delete": (call) =>
        removeAll(call.params.namespace_id, readBody(call, bulkDelete, invalid)),
      "DELETE /accounts/:account_id/storage/kv/namespaces/:namespace_id/bulk": (call) =>
        removeAll(call.params.namespace_id, readBody(call, bulkDelete, invalid)),
    };
  },
});
