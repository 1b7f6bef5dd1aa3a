/** What mails of a deletion state. */
import type { TestDatabase } from "#database/testing/test-database.ts";

const CLIENT = "Acme <Corporation>";

/** What happened, and subject and text of the notice. */
export const deletionNotices = [
  [
    "deleted",
    `${CLIENT} will be deleted`,
    `bob@acme.example deleted ${CLIENT}. It takes no requests now, and is removed with its state after Saturday, 6 June 2099 at 20:00 (UTC). Until then, you can undo this and download an export in the console, under Danger.`,
  ],
  [
    "erased",
    `${CLIENT} is being erased`,
    `bob@acme.example ended the grace period of ${CLIENT}. Its state, its backups and its users are being erased, and cannot be restored. bob@acme.example gets a certificate of what was erased.`,
  ],
  ["restored", `${CLIENT} is not deleted`, `bob@acme.example undid the deletion of ${CLIENT}. Nothing was removed.`],
] as const;

/** Inserts a completed erasure of an earlier version, which did not read Cloudflare. @returns its id, and texts of its certificate */
export async function insertErasure({ pool }: TestDatabase, requestedBy: string) {
  const { rows } = await pool.query<{ id: string; client_id: string }>(
    `insert into tenantry.erasures (environment, client_id, slug, name, worker_name, requested_by, recipients,
       bucket_objects, bucket_bytes, rows, erased_at)
     values ('production', gen_random_uuid(), 'wiped', 'Wiped', 'tenant-wiped', $1, array[$1], 2, 742,
       '{"clients": 1, "audit": 0}', '2026-11-28T20:00:00Z') returning id, client_id`,
    [requestedBy],
  );
  const [{ id, client_id } = { id: "", client_id: "" }] = rows;
  const texts = [
    `Certificate of erasure ${id}`,
    `Client: Wiped (wiped, ${client_id}), production`,
    `Requested by ${requestedBy} on `,
    "Erased on 2026-11-28T20:00:00.000Z:",
    "- Bucket of backups: tenantry-backups-wiped, 2 objects with 742 bytes",
    "- Worker: tenant-wiped. Not read back.",
    "- Access application: Tenant wiped. Not read back.",
    "- Rows of the database: clients 1",
    "- Invoices, the ledger and daily usage. The law requires the records of what was billed.",
  ];
  return { id, texts };
}
