import { referenceRoutes } from "#workers/contracts/api/reference.ts";
import { section } from "./section.ts";

export const referenceSection = section(
  referenceRoutes,
  "Reference",
  "This description of the API, for programs and for people.",
  {
    getOpenApi: {
      description:
        "Returns the description of all operations, for tools and generated clients. It is the same for every caller and changes only with a release.",
      answer: { openapi: "3.1.1", info: { title: "Tenantry API", version: "1.0.0-beta" }, paths: {} },
    },
    getReference: { description: "Returns the same description as an HTML page without scripts, for people to read." },
  },
);
