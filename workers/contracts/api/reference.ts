/** The API's own description. */
import * as z from "zod";
import { BOTH_ROOTS, route, routes } from "./route.ts";

export const referenceRoutes = routes("reference", {
  getOpenApi: route("get", "/openapi.json", {
    summary: "This API as an OpenAPI 3.1 document",
    callers: BOTH_ROOTS,
    answer: z.record(z.string(), z.unknown()),
  }),
  getReference: route("get", "/reference", {
    summary: "This API as a page to read",
    callers: BOTH_ROOTS,
    produces: ["text/html"],
  }),
});
