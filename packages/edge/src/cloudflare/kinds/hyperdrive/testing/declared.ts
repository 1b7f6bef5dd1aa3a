import * as cloudflare from "@pulumi/cloudflare";
import * as pulumi from "@pulumi/pulumi";
import { account_id as accountId } from "#cloudflare/api/testing/api-server.ts";
import { declared } from "#cloudflare/plugin/testing/declared.ts";

export const configuration = declared({
  make: ({ edition }) =>
    new cloudflare.HyperdriveConfig("db", {
      accountId,
      name: `db-${edition}`,
      caching: { disabled: true },
      origin: {
        scheme: "postgres",
        host: "db.example.com",
        port: 5432,
        database: "tenantry",
        user: "dashboard",
        password: pulumi.secret(`hyperdrive-secret-${edition}`),
      },
    }),
  record: "hyperdrive",
  import: { type: "hyperdriveConfig:HyperdriveConfig", id: ({ id }) => `${accountId}/${id}` },
});
