import { isDeepStrictEqual } from "node:util";
import { lenient, missing, undocumented } from "@tenantry/std/difference";
import * as z from "zod";
import { currentTimestamp, hexId } from "#account/identifiers.ts";
import { ApiError, apiPart, numberedPage, readBody, recordFinder, successResponse } from "../../api/operations.ts";
import type { HyperdriveRecord } from "./record.ts";

const invalid = 2007;
const origin = z.object({
  scheme: z.enum(["postgres", "postgresql"], "must be postgres: no other is supported by the local edge"),
  host: z.string().min(1),
  port: z.int().min(1).max(65_535).exactOptional(),
  database: z.string().min(1),
  user: z.string().min(1),
  password: z.string().min(1),
});
const origin_connection_limit = z.int().exactOptional();
const MAX_AGE_S = 3_600;
const caching = z
  .looseObject({
    disabled: z.boolean().exactOptional(),
    max_age: z.int().min(0).max(MAX_AGE_S).exactOptional(),
    stale_while_revalidate: z.int().min(0).max(MAX_AGE_S).exactOptional(),
  })
  .exactOptional();
const config = z.looseObject({ name: z.string().min(1), origin, origin_connection_limit, caching });
const change = z.looseObject({
  name: z.string().min(1).exactOptional(),
  origin: origin.partial().exactOptional(),
  origin_connection_limit,
  caching,
});

const find = recordFinder("hyperdrive", 2006, "Hyperdrive config not found");

export const hyperdriveApi = apiPart({
  title: "Hyperdrive configurations",
  operations: {
    "POST /accounts/:account_id/hyperdrive/configs": "hyperdrive.configs.create",
    "GET /accounts/:account_id/hyperdrive/configs": "hyperdrive.configs.list",
    "GET /accounts/:account_id/hyperdrive/configs/:id": "hyperdrive.configs.get",
    "PUT /accounts/:account_id/hyperdrive/configs/:id": "hyperdrive.configs.update",
    "PATCH /accounts/:account_id/hyperdrive/configs/:id": "hyperdrive.configs.edit",
    "DELETE /accounts/:account_id/hyperdrive/configs/:id": "hyperdrive.configs.delete",
  },
  differs: [
    missing("Origins of PostgreSQL, by host and port only."),
    lenient(
      "An origin may have a private address, and no TLS.",
      "The database of a machine is on loopback.",
      "hyperdrive.unreachable-database",
    ),
    missing("Connections are pooled by transaction, at most 20 for each configuration unless it sets fewer."),
    undocumented("Results of functions that PostgreSQL does not have are cached, and nothing in a transaction."),
  ],
  handlers: ({ limits, store, runtime }) => {
    const toResult = (record: HyperdriveRecord) => {
      const { password: _, ...withoutPassword } = record.origin;
      return { caching: { disabled: false }, ...record, origin: withoutPassword };
    };
    const save = async (body: z.infer<typeof config>, id: string, created_on: string): Promise<Response> => {
      const before = store.get("hyperdrive", id)?.origin;
      if (!isDeepStrictEqual(before, body.origin)) await runtime.checkOrigin(body.origin);
      if (store.list("hyperdrive").some((other) => other.name === body.name && other.id !== id)) {
        throw new ApiError(409, 2017, "A Hyperdrive config with the given name already exists");
      }
      for (const name of [body.origin.database, body.origin.user])
        limits.check("hyperdriveName", Buffer.byteLength(name));
      if (body.origin_connection_limit !== undefined) {
        limits.check("hyperdriveConnections", body.origin_connection_limit);
        limits.check("hyperdriveConnectionsLeast", body.origin_connection_limit);
      }
      if (store.get("hyperdrive", id) === undefined)
        limits.check("hyperdriveConfigs", store.list("hyperdrive").length + 1);
      const record: HyperdriveRecord = { ...body, id, created_on, modified_on: currentTimestamp() };
      store.put("hyperdrive", record);
      return successResponse(toResult(record));
    };
    return {
      "POST /accounts/:account_id/hyperdrive/configs": (call) =>
        save(readBody(call, config, invalid), hexId(), currentTimestamp()),
      "GET /accounts/:account_id/hyperdrive/configs": ({ query }) =>
        numberedPage(store.list("hyperdrive").map(toResult), query),
      "GET /accounts/:account_id/hyperdrive/configs/:id": ({ params }) =>
        successResponse(toResult(find(store, params.id))),
      "PUT /accounts/:account_id/hyperdrive/configs/:id": (call) => {
        const { id, created_on } = find(store, call.params.id);
        return save(readBody(call, config, invalid), id, created_on);
      },
      "PATCH /accounts/:account_id/hyperdrive/configs/:id": (call) => {
        const record = find(store, call.params.id);
        const body = readBody(call, change, invalid);
        const merged = config.parse({ ...record, ...body, origin: { ...record.origin, ...body.origin } });
        return save(merged, record.id, record.created_on);
      },
      "DELETE /accounts/:account_id/hyperdrive/configs/:id": ({ params }) => {
        const { id } = find(store, params.id);
        store.delete("hyperdrive", id);
        return successResponse(null);
      },
    };
  },
});
