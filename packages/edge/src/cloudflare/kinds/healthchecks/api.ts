import { missing, undocumented } from "@tenantry/std/difference";
import * as z from "zod";
import { currentTimestamp, hexId } from "#account/identifiers.ts";
import { apiPart, numberedPage, readBody, recordFinder, successResponse, validateInput } from "../../api/operations.ts";
import type { HealthcheckRecord } from "./record.ts";

const invalid = 1002;

/** Seconds: the minimum of the plan Pro (developers.cloudflare.com/health-checks/#availability). */
const SHORTEST_INTERVAL = 60;

const http = z.looseObject({
  method: z.enum(["GET", "HEAD"]).default("GET"),
  path: z.string().startsWith("/").default("/"),
  expected_codes: z.array(z.string()).nullable().default(["200"]),
});
const body = z.looseObject({
  name: z.string().regex(/^[\w-]+$/, "must have letters, digits, hyphens and underscores only"),
  address: z.string().min(1),
  type: z.enum(["HTTP", "HTTPS", "TCP"]).default("HTTP"),
  description: z.string().default(""),
  interval: z.int().min(SHORTEST_INTERVAL).default(SHORTEST_INTERVAL),
  retries: z.int().min(0).default(2),
  timeout: z.int().min(1).default(5),
  consecutive_fails: z.int().min(1).default(1),
  consecutive_successes: z.int().min(1).default(1),
  suspended: z.boolean().default(false),
  http_config: http.nullable().default(null),
  tcp_config: z.looseObject({}).nullable().default(null),
  check_regions: z.array(z.string()).nullable().default(null),
});

const find = recordFinder("healthcheck", 1001, "The health check does not exist.");

export const healthchecksApi = apiPart({
  title: "Health checks",
  operations: {
    "POST /zones/:zone_id/healthchecks": "healthchecks.create",
    "GET /zones/:zone_id/healthchecks": "healthchecks.list",
    "GET /zones/:zone_id/healthchecks/:id": "healthchecks.get",
    "PUT /zones/:zone_id/healthchecks/:id": "healthchecks.update",
    "PATCH /zones/:zone_id/healthchecks/:id": "healthchecks.edit",
    "DELETE /zones/:zone_id/healthchecks/:id": "healthchecks.delete",
  },
  differs: [
    missing("Checks do not run: their status stays `unknown` or `suspended`."),
    undocumented("Codes of refused values."),
  ],
  handlers: ({ store }) => {
    const save = (given: z.infer<typeof body>, stamps: { id: string; created_on: string }): Response => {
      const record: HealthcheckRecord = { ...given, ...stamps, modified_on: currentTimestamp() };
      store.put("healthcheck", record);
      return successResponse(toResult(record));
    };
    return {
      "POST /zones/:zone_id/healthchecks": (call) =>
        save(readBody(call, body, invalid), { id: hexId(), created_on: currentTimestamp() }),
      "GET /zones/:zone_id/healthchecks": ({ query }) => numberedPage(store.list("healthcheck").map(toResult), query),
      "GET /zones/:zone_id/healthchecks/:id": ({ params }) => successResponse(toResult(find(store, params.id))),
      "PUT /zones/:zone_id/healthchecks/:id": (call) => {
        const { id, created_on } = find(store, call.params.id);
        return save(readBody(call, body, invalid), { id, created_on });
      },
      "PATCH /zones/:zone_id/healthchecks/:id": (call) => {
        const record = find(store, call.params.id);
        const { id, created_on } = record;
        const change = readBody(call, z.looseObject({}), invalid);
        return save(validateInput({ ...record, ...change }, body, invalid), { id, created_on });
      },
      "DELETE /zones/:zone_id/healthchecks/:id": ({ params }) => {
        const { id } = find(store, params.id);
        store.delete("healthcheck", id);
        return successResponse({ id });
      },
    };
  },
});

const toResult = (record: HealthcheckRecord) => ({
  ...record,
  status: record.suspended ? "suspended" : "unknown",
  failure_reason: "",
});
