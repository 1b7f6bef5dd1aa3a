import { lenient } from "@tenantry/std/difference";
import * as z from "zod";
import type { EdgeLimits } from "#limits/edge-limits.ts";
import { ApiError, apiPart, type Call, pageLimit, readBody, successResponse } from "../../api/operations.ts";
import { readForm, readObject } from "../scripts/upload/multipart.ts";
import { findKvNamespace } from "./namespaces.ts";

const invalid = 10012;
const invalidExpiration = 10034;
const expiry = z.object({
  expiration: z.coerce.number().int().positive().exactOptional(),
  expiration_ttl: z.coerce.number().int().positive().exactOptional(),
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

interface Entry {
  key: string;
  value: Uint8Array<ArrayBuffer>;
  metadata?: unknown;
}

function checkEntry(limits: EdgeLimits, { key, value, metadata }: Entry): void {
  if (key === "." || key === "..") throw new ApiError(400, invalid, "The key must be neither . nor ..");
  limits.check("kvKey", Buffer.byteLength(key));
  limits.check("kvValue", value.byteLength);
  if (metadata !== undefined) limits.check("kvMetadata", Buffer.byteLength(JSON.stringify(metadata)));
}

function parseExpiry(limits: EdgeLimits, given: unknown) {
  const parsed = expiry.safeParse(given);
  if (!parsed.success) throw new ApiError(400, invalidExpiration, `expiration: ${parsed.error.issues[0]?.message}`);
  const { expiration, expiration_ttl } = parsed.data;
  if (expiration !== undefined) limits.check("kvExpirationTtl", expiration - Date.now() / 1000);
  if (expiration_ttl !== undefined) limits.check("kvExpirationTtl", expiration_ttl);
  return { expiration, expirationTtl: expiration_ttl };
}

async function readValue(call: Pick<Call, "body" | "headers">): Promise<Omit<Entry, "key">> {
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
  differs: [
    lenient(
      "Reads by the API have the latest value.",
      "Cloudflare documents the delay for reads of Workers only, which weather injects.",
    ),
  ],
  handlers: ({ limits, store, runtime }) => {
    const most = limits.valueOf("kvListPage");
    const open = (id: string) => runtime.kv(findKvNamespace(store, id).id);
    const notFound = () => new ApiError(404, 10009, "get: 'key not found'");
    const removeAll = async (id: string, keys: string[]): Promise<Response> => {
      limits.check("kvBulkPairs", keys.length);
      const kv = open(id);
      for (const key of keys) await kv.delete(key);
      return successResponse({ successful_key_count: keys.length, unsuccessful_keys: [] });
    };
    return {
      "GET /accounts/:account_id/storage/kv/namespaces/:namespace_id/keys": async ({ params, query }) => {
        const page = await open(params.namespace_id).list({
          limit: pageLimit(query, "limit", most, most),
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
        const options = parseExpiry(limits, Object.fromEntries(query));
        const { value, metadata } = await readValue(call);
        checkEntry(limits, { key: params.key, value, metadata });
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
        limits.check("kvBulkBytes", call.body.byteLength);
        const pairs = readBody(call, bulkPut, invalid);
        limits.check("kvBulkPairs", pairs.length);
        const entries = pairs.map(({ key, value, base64, metadata, ...lifetime }) => ({
          key,
          value: new Uint8Array(Buffer.from(value, base64 ? "base64" : "utf8")),
          options: { ...parseExpiry(limits, lifetime), metadata },
        }));
        for (const { key, value, options } of entries) checkEntry(limits, { key, value, metadata: options.metadata });
        for (const { key, value, options } of entries) await kv.put(key, value, options);
        return successResponse({ successful_key_count: entries.length, unsuccessful_keys: [] });
      },
      "POST /accounts/:account_id/storage/kv/namespaces/:namespace_id/bulk/delete": (call) =>
        removeAll(call.params.namespace_id, readBody(call, bulkDelete, invalid)),
      "DELETE /accounts/:account_id/storage/kv/namespaces/:namespace_id/bulk": (call) =>
        removeAll(call.params.namespace_id, readBody(call, bulkDelete, invalid)),
    };
  },
});
