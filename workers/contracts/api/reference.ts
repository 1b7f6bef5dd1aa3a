/** The API's own description. */
import * as z from "zod";
import { BOTH_ROOTS, route } from "./route.ts";

export const referenceRoutes = {
  getOpenApi: route({
    method: "get",
    path: "/openapi.json",
    tag: "reference",
    summary: "This API as an OpenAPI 3.1 document",
    callers: BOTH_ROOTS,
    answer: z.record(z.string(), z.unknown()),
  }),
  getReference: route({
    method: "get",
    path: "/reference",
    tag: "reference",
    summary: "This API as a page to read",
    callers: BOTH_ROOTS,
    produces: ["text/html"],
  }),
};
