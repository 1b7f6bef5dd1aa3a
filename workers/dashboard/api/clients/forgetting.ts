import type { Kysely } from "kysely";
import type { ListedClient } from "#database/tenants/clients.ts";
import type { DB } from "#database/types.ts";
import { requestJob } from "#database/work/job-request.ts";
import type { Caller } from "../../identity/caller.ts";

/** Has the dispatch Worker forget what it knows of a client's tenant and of who may enter, and end the sessions by it. */
export async function forgetTenant(
  db: Kysely<DB>,
  { id: clientId, slug, instance }: Pick<ListedClient, "id" | "slug" | "instance">,
  { email }: Caller,
): Promise<void> {
  if (instance === null) return;
  await requestJob(db, { kind: "invalidate", clientId, instanceId: instance.id, slug, requestedBy: email });
}
