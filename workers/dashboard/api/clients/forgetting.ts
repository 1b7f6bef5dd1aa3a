import type { Kysely } from "kysely";
import type { ListedClient } from "#database/tenants/clients.ts";
import type { DB } from "#database/types.ts";
import { requestJob } from "#database/work/job-request.ts";
import type { Caller } from "../../identity/caller.ts";

/** Requests that the dispatch Worker drops its cache entry of a tenant and closes the tenant's sessions. */
export async function forgetTenant(
  db: Kysely<DB>,
  { id: clientId, slug, instance }: Pick<ListedClient, "id" | "slug" | "instance">,
  { email }: Caller,
): Promise<void> {
  if (instance === null) return;
  await requestJob(db, { kind: "invalidate", clientId, instanceId: instance.id, slug, requestedBy: email });
}
