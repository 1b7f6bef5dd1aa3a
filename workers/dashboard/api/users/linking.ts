/** Makes a person a user of a client. */
import type { Kysely } from "kysely";
import type * as z from "zod";
import { assignInstances, insertValidatedUser } from "#database/people/client-user-changes.ts";
import type { ListedUser } from "#database/people/users.ts";
import type { ListedClient } from "#database/tenants/clients.ts";
import type { DB } from "#database/types.ts";
import type { userRoutes } from "#workers/contracts/api/people/users.ts";
import { Failure } from "../../http/failure.tsx";

type Link = z.output<(typeof userRoutes)["linkUser"]["body"]>;

/**
 * Links a person to a client, as a validated user at once: who does it vouches for them.
 *
 * @throws Failure `conflict` for a dashboard's user, another partner's person, and who is a user of the client already
 */
export async function link(db: Kysely<DB>, client: ListedClient, user: ListedUser, sent: Link): Promise<void> {
  if (user.role === "ROOT" || user.role === "PARTNER_ROOT") {
    throw new Failure("conflict", `${user.email} is a user of the dashboard; create a person of that address first.`);
  }
  if (user.partner_id !== (client.partner?.id ?? null)) {
    throw new Failure("conflict", `${user.email} and ${client.slug} are not of one partner; create a person there.`);
  }
  const instances = sent.instance_ids ?? [requireInstance(client)];
  if (!instances.every((id) => id === client.instance?.id)) {
    throw new Failure("invalid_request", "The body holds values that cannot be.", {
      instance_ids: ["holds one that is not the client's"],
    });
  }
  const linked = await insertValidatedUser(db, {
    clientId: client.id,
    email: user.email,
    name: user.name,
    role: sent.role ?? user.role,
    accessIdentity: user.cf_access_identity,
  });
  if (linked === undefined) {
    throw new Failure("conflict", `${user.email} is a user of ${client.slug} already; change that one.`);
  }
  await assignInstances(db, linked, new Set(instances));
}

function requireInstance({ slug, instance }: ListedClient): string {
  if (instance !== null) return instance.id;
  throw new Failure("conflict", `The client ${slug} has no instance yet: create it first, or send "instance_ids": [].`);
}
