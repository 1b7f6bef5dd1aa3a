import * as z from "zod";
import { hexId } from "#account/identifiers.ts";
import type { ApiContext } from "../../api/context.ts";
import { ApiError, apiPart, readBody, recordFinder, successResponse, wholeList } from "../../api/operations.ts";
import type { RouteRecord } from "./record.ts";

const routeBody = z.object({
  pattern: z.string().min(1),
  script: z.string().min(1).exactOptional(),
});

/** Operations on single routes and, for wrangler, on all routes of a script. */
export function routeRecords({ limits, store, domain, zoneId }: ApiContext) {
  /** Returns the record to store, with a new id by default. @throws ApiError for an invalid route */
  const check = (id: string | undefined, { pattern, script }: z.infer<typeof routeBody>): RouteRecord => {
    const host = pattern.replace(/^https?:\/\//, "").split("/")[0] ?? "";
    const inZone = host === domain || host === `*${domain}` || host.endsWith(`.${domain}`);
    if (!inZone || host.lastIndexOf("*") > 0 || /\s/.test(pattern)) {
      throw new ApiError(400, 10022, `Invalid route pattern for zone ${domain}: ${pattern}`);
    }
    if (store.list("route").some((other) => other.pattern === pattern && other.id !== id)) {
      throw new ApiError(409, 10020, "A route with the same pattern already exists.");
    }
    if (script !== undefined && store.get("script", script) === undefined) {
      throw new ApiError(400, 10019, `The Worker ${script} of this route does not exist.`);
    }
    if (id === undefined) limits.check("routes", store.list("route").length + 1);
    return { id: id ?? hexId(), zone_id: zoneId, pattern, ...(script === undefined ? {} : { script }) };
  };
  const put = (route: RouteRecord): void => store.put("route", route);
  const toResult = ({ id, pattern, script }: RouteRecord) => ({ id, pattern, script });
  return { check, put, toResult };
}

const find = recordFinder("route", 10009, "The requested route does not exist.");

export const routesApi = apiPart({
  title: "Workers routes",
  operations: {
    "POST /zones/:zone_id/workers/routes": "workers.routes.create",
    "GET /zones/:zone_id/workers/routes": "workers.routes.list",
    "GET /zones/:zone_id/workers/routes/:id": "workers.routes.get",
    "PUT /zones/:zone_id/workers/routes/:id": "workers.routes.update",
    "DELETE /zones/:zone_id/workers/routes/:id": "workers.routes.delete",
  },
  handlers: (context) => {
    const { store } = context;
    const { check, put, toResult } = routeRecords(context);
    const save = (id: string | undefined, body: z.infer<typeof routeBody>): Response => {
      const route = check(id, body);
      put(route);
      return successResponse(toResult(route));
    };
    return {
      "POST /zones/:zone_id/workers/routes": (call) => save(undefined, readBody(call, routeBody, 10022)),
      "GET /zones/:zone_id/workers/routes": () => wholeList(store.list("route").map(toResult)),
      "GET /zones/:zone_id/workers/routes/:id": ({ params }) => successResponse(toResult(find(store, params.id))),
      "PUT /zones/:zone_id/workers/routes/:id": (call) => {
        const { id } = find(store, call.params.id);
        return save(id, readBody(call, routeBody, 10022));
      },
      "DELETE /zones/:zone_id/workers/routes/:id": ({ params }) => {
        const { id } = find(store, params.id);
        store.delete("route", id);
        return successResponse({ id });
      },
    };
  },
});
