import * as cloudflare from "@pulumi/cloudflare";
import { domain, zone_id as zoneId } from "#cloudflare/api/testing/api-server.ts";
import { declared } from "#cloudflare/plugin/testing/declared.ts";
import { script } from "../../scripts/testing/declared.ts";

export const route = declared({
  make: (variant) =>
    new cloudflare.WorkersRoute("wildcard", {
      zoneId,
      pattern: `*.${domain}/v${variant.edition}/*`,
      script: script(variant).scriptName,
    }),
  record: "route",
  import: { type: "workersRoute:WorkersRoute", id: ({ id }) => `${zoneId}/${id}` },
});
