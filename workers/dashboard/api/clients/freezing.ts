/** Freezing a client's instance, and letting it go on: the row at once, what follows from it as a job of the service. */
import type { Kysely } from "kysely";
import type { ListedClient } from "../../../../database/clients.ts";
import type { DB } from "../../../../database/types.ts";
import type { Caller } from "../../identity/caller.ts";

/** Freezes the instance, if there is one that is not frozen. @param cause for whoever looks */
export async function freeze(db: Kysely<DB>, client: ListedClient, caller: Caller, cause: string): Promise<void> {
  if (client.instance === null || client.instance.status === "frozen") return;
  await change(db, client, caller, { status: "frozen", state_cause: cause }, "freeze");
}

/** Lets a frozen instance go on. */
export async function resume(db: Kysely<DB>, client: ListedClient, caller: Caller): Promise<void> {
  if (client.instance?.status !== "frozen") return;
  await change(db, client, caller, { status: "running", state_cause: null }, "resume");
}

async function change(
  db: Kysely<DB>,
  { id: client_id, slug, instance }: ListedClient,
  { email }: Caller,
  to: { status: string; state_cause: string | null },
  kind: "freeze" | "resume",
): Promise<void> {
  if (instance === null) return;
  const { generation } = await db
    .updateTable("tenantry.instances")
    .set(to)
    .where("id", "=", instance.id)
    .returning("generation")
    .executeTakeFirstOrThrow();
  await db
    .insertInto("tenantry.jobs")
    .values({ kind, client_id, instance_id: instance.id, slug, generation, requested_by: email })
    .execute();
}
