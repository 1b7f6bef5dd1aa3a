/** The API's reference. */
import * as z from "zod";
import { BOTH_ROOTS, route, routes } from "./route.ts";

export const referenceRoutes = routes("reference", {
  getOpenApi: route("get", "/openapi.json", {
    summary: "Get this API as an OpenAPI 3.1 document",
    callers: BOTH_ROOTS,
    answer: z.record(z.string(), z.unknown()),
  }),
  getReference: route("get", "/reference", {
    summary: "Get this API as a page",
    callers: BOTH_ROOTS,
    produces: ["text/html"],
  }),
});
