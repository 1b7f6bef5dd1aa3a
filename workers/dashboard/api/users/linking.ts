import type { Kysely } from "kysely";
import type * as z from "zod";
import { assignInstances, insertValidatedUser } from "#database/people/client-user-changes.ts";
import type { ListedUser } from "#database/people/users.ts";
import type { ListedClient } from "#database/tenants/clients.ts";
import type { DB } from "#database/types.ts";
import { peopleErrors } from "#domain/errors/api/people.ts";
import type { userRoutes } from "#workers/contracts/api/people/users.ts";
import { failure, invalidInput } from "../../http/failure.tsx";

type Link = z.output<(typeof userRoutes)["linkUser"]["body"]>;

/**
 * Links a person to a client as a validated user, without an invitation.
 *
 * @throws Failure `conflict` for a user of the dashboard, a person of another partner, and an existing user of the client
 */
export async function link(db: Kysely<DB>, client: ListedClient, user: ListedUser, sent: Link): Promise<void> {
  if (user.role === "ROOT" || user.role === "PARTNER_ROOT") {
    throw failure(peopleErrors.dashboard_user_cannot_be_linked, { email: user.email });
  }
  if (user.partner_id !== (client.partner?.id ?? null)) {
    const { user_and_client_of_different_partners: differ } = peopleErrors;
    throw failure(differ, { email: user.email, slug: client.slug });
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
    throw failure(peopleErrors.user_already_in_client, { email: user.email, slug: client.slug });
  }
  await assignInstances(db, linked, new Set(instances));
}

function requireInstance({ slug, instance }: ListedClient): string {
  if (instance !== null) return instance.id;
  throw failure(peopleErrors.client_has_no_instance_for_user, { slug });
}
