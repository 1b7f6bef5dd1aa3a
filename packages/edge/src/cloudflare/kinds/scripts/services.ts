import { missing } from "@tenantry/std/difference";
import * as z from "zod";
import { ApiError, apiPart, readBody, successResponse } from "../../api/operations.ts";
import { routeRecords } from "../routes/api.ts";
import { findScript } from "./lookup.ts";
import { scriptOperations } from "./operations.ts";
import { scriptResult } from "./results.ts";

const ENVIRONMENT = "production";
const routesBody = z.array(
  z.looseObject({
    pattern: z.string().min(1),
    zone_id: z.string().exactOptional(),
    zone_name: z.string().exactOptional(),
  }),
);

export const workerServicesApi = apiPart({
  title: "Workers as wrangler deploys them",
  operations: {
    "GET /accounts/:account_id/workers/services/:service_name": "-",
    "DELETE /accounts/:account_id/workers/services/:service_name": "-",
    "PUT /accounts/:account_id/workers/scripts/:script_name/routes": "-",
  },
  differs: [missing("What `wrangler deploy` and `wrangler delete` need in addition. No environments, no `tail`.")],
  handlers: (context) => {
    const { store, domain, zoneId } = context;
    return {
      "GET /accounts/:account_id/workers/services/:service_name": ({ params }) => {
        const script = store.get("script", params.service_name);
        if (script === undefined) throw new ApiError(404, 10090, "workers.api.error.service_not_found");
        const stamps = { created_on: script.created_on, modified_on: script.modified_on };
        const environment = { environment: ENVIRONMENT, ...stamps, script: scriptResult(script) };
        return successResponse({
          id: script.name,
          ...stamps,
          default_environment: environment,
          environments: [environment],
        });
      },
      "DELETE /accounts/:account_id/workers/services/:service_name": (call) => {
        const script_name = call.params.service_name;
        scriptOperations(context).delete({ ...call, params: { script_name } });
        store.delete("schedules", script_name);
        for (const route of store.list("route")) if (route.script === script_name) store.delete("route", route.id);
        return successResponse(null);
      },
      "PUT /accounts/:account_id/workers/scripts/:script_name/routes": (call) => {
        const { name } = findScript(store, call.params);
        const wanted = readBody(call, routesBody, 10022);
        const foreign = wanted.find(
          ({ zone_id, zone_name }) => (zone_id ?? zoneId) !== zoneId || (zone_name ?? domain) !== domain,
        );
        if (foreign !== undefined) throw new ApiError(404, 1001, `Invalid zone of the route ${foreign.pattern}`);
        const { check, put, toResult } = routeRecords(context);
        const before = store.list("route").filter((route) => route.script === name);
        const after = wanted.map(({ pattern }) => {
          const id = before.find((route) => route.pattern === pattern)?.id;
          return check(id, { pattern, script: name });
        });
        for (const old of before) {
          if (!after.some((route) => route.id === old.id)) store.delete("route", old.id);
        }
        for (const route of after) put(route);
        return successResponse(after.map(toResult));
      },
    };
  },
});
