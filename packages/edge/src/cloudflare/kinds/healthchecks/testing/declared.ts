import * as cloudflare from "@pulumi/cloudflare";
import { domain, zone_id as zoneId } from "#cloudflare/api/testing/api-server.ts";
import { declared } from "#cloudflare/plugin/testing/declared.ts";

export const healthcheck = declared({
  make: ({ edition }) =>
    new cloudflare.Healthcheck("tenant", {
      zoneId,
      name: "tenant-acme",
      address: `acme.${domain}`,
      type: "HTTPS",
      description: `Edition ${edition}`,
      httpConfig: { method: "GET", path: "/api/health?passive=1", expectedCodes: ["200"] },
    }),
  record: "healthcheck",
  import: { type: "healthcheck:Healthcheck", id: ({ id }) => `${zoneId}/${id}` },
});
