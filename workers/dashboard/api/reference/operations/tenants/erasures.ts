import { erasureRoutes } from "#workers/contracts/api/tenants/erasures.ts";
import { ACME, IDS, onePage } from "../examples.ts";
import { section } from "../section.ts";

const listed = {
  id: IDS.erasure,
  client: ACME,
  requested_by: "ada@acme.example",
  requested_at: "2026-11-20T10:00:00.000Z",
  erased_at: "2026-11-20T10:04:10.000Z",
};

export const erasureSection = section(
  erasureRoutes,
  "Erasures",
  "An erasure deletes a client with its backups (`eraseClient`). It ends when Cloudflare has none of the client's resources. Its certificate states that, and what is kept. It remains when the client is deleted.",
  {
    listErasures: {
      description: "Returns the erasures of the clients that the caller had access to, newest first.",
      answer: onePage(listed),
    },
    getErasure: {
      description:
        "Returns the certificate of an erasure, with its text for people. `erased_at` is null until everything is erased.",
      params: { erasure_id: IDS.erasure },
      answer: {
        format: "tenantry-erasure-1",
        ...listed,
        environment: "production",
        erased: {
          bucket: { name: "tenantry-backups-acme", objects: 1340, bytes: 8_120_334_221 },
          resources: [{ kind: "Access application", name: "Tenant acme", absent_at: "2026-11-20T10:04:09.000Z" }],
          rows: { clients: 1, client_users: 12, instances: 1 },
        },
        kept: [
          { what: "Invoices, the ledger and daily usage", why: "The law requires the records of what was billed." },
        ],
        text: `Certificate of erasure ${IDS.erasure}\n`,
      },
    },
  },
);
