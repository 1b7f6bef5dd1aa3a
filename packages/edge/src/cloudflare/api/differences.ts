import { lenient, missing, type StandIn } from "@tenantry/std/difference";

/** What holds for all parts of the API. */
export const apiDifferences: StandIn = {
  title: "Cloudflare API",
  differs: [
    missing("Operations of other products, and other methods of these."),
    lenient(
      "Fields of a body that the edge does not know are stored and returned, without a check.",
      "Clients send every field that their SDK declares; the API's schemas are larger than the edge.",
    ),
    lenient(
      "The name of a deleted object is free at once: of a bucket, AI gateway, Access application or group, script with Durable Objects, dispatch namespace, queue, Hyperdrive configuration or DNS record.",
      "No document and no report says that Cloudflare reserves one of them.",
      "containers.application-after-delete",
    ),
  ],
};
