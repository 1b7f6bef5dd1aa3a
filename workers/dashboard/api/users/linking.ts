import type { Kysely } from "kysely";
import type * as z from "zod";
import { assignInstances, insertValidatedUser } from "#database/people/client-user-changes.ts";
import type { ListedUser } from "#database/people/users.ts";
import type { ListedClient } from "#database/tenants/clients.ts";
import type { DB } from "#database/types.ts";
import type { userRoutes } from "#workers/contracts/api/people/users.ts";
import { Failure, invalidInput } from "../../http/failure.tsx";

type Link = z.output<(typeof userRoutes)["linkUser"]["body"]>;

/**
 * Links a person to a client as a validated user, without an invitation.
 *
 * @throws Failure `conflict` for a user of the dashboard, a person of another partner, and an existing user of the client
 */
export async function link(db: Kysely<DB>, client: ListedClient, user: ListedUser, sent: Link): Promise<void> {
  if (user.role === "ROOT" || user.role === "PARTNER_ROOT") {
    throw new Failure("conflict", `${user.email} is a user of the dashboard. Create a person with that address first.`);
  }
  if (user.partner_id !== (client.partner?.id ?? null)) {
    throw new Failure(
      "conflict",
      `${user.email} and ${client.slug} belong to different partners. Create a person at the client's partner.`,
    );
  }
  const instances = sent.instance_ids ?? [requireInstance(client)];
  if (!instances.every((id) => id === client.instance?.id)) {
    throw invalidInput("body", {
      instance_ids: ["has an instance of another client"],
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
    throw new Failure("conflict", `${user.email} is already a user of ${client.slug}. Change that user.`);
  }
  await assignInstances(db, linked, new Set(instances));
}

function requireInstance({ slug, instance }: ListedClient): string {
  if (instance !== null) return instance.id;
  throw new Failure("conflict", `The client ${slug} has no instance. Create it first, or send "instance_ids": [].`);
}
