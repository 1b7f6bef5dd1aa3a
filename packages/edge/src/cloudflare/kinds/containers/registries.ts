import { missing } from "@tenantry/std/difference";
import * as z from "zod";
import { apiPart, readBody, successResponse, wholeList } from "../../api/operations.ts";
import { containerApiError, invalid } from "./application.ts";

/** The account's own registry (workers-sdk, `getCloudflareContainerRegistry`). */
const OWN = "registry.cloudflare.com";
/** As the vendor's client sends it (workers-sdk, `ImageRegistryCredentialsConfiguration.ts`). */
const credentialsRequest = z.looseObject({
  permissions: z.array(z.enum(["pull", "push", "library_push"])).min(1),
  expiration_minutes: z.number().positive(),
});

export const containerRegistriesApi = apiPart({
  title: "Container registries",
  operations: {
    "GET /accounts/:account_id/containers/registries": "containers.registries.list",
    "POST /accounts/:account_id/containers/registries/:domain/credentials":
      "containers.registries.credentials.generate",
  },
  differs: [
    missing("No other registry is configured."),
    missing(
      "The account's own serves manifests, at `/v2` of the edge. It has the images of `images.json` in the state directory; nothing can be pushed otherwise.",
    ),
  ],
  handlers: ({ accountId: account_id, registryCredentials }) => ({
    "GET /accounts/:account_id/containers/registries": () => wholeList([]),
    "POST /accounts/:account_id/containers/registries/:domain/credentials": (call) => {
      const { expiration_minutes } = readBody(call, credentialsRequest, invalid);
      if (call.params.domain !== OWN) throw containerApiError(404, "IMAGE_REGISTRY_NOT_FOUND");
      const registry_host = call.headers.get("host") ?? "";
      return successResponse({ account_id, registry_host, ...registryCredentials(expiration_minutes) });
    },
  }),
});
