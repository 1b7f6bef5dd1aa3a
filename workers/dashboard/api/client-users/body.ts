/** A client's user as the API shows it. */
import type { ListedClientUser } from "#database/people/client-users.ts";
import type { ClientUser } from "#workers/contracts/api/people/invitations.ts";

export function clientUserBody(user: ListedClientUser): ClientUser {
  const { id, email, name, role, status, version } = user;
  return {
    id,
    client_id: user.clientId,
    email,
    name,
    role,
    status,
    validated_at: user.validatedAt?.toISOString() ?? null,
    cf_access_identity: user.accessIdentity,
    instance_ids: user.instanceIds,
    expires_at: user.expiresAt?.toISOString() ?? null,
    mail_status: user.mailStatus,
    created_at: user.createdAt.toISOString(),
    updated_at: user.updatedAt.toISOString(),
    version,
  };
}
