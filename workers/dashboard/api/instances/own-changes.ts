/** What an ADMIN may change of version and plan of its own tenant. */
import type { ListedClient } from "#database/tenants/clients.ts";
import type { KnownInstance } from "#database/tenants/instances.ts";
import { clientErrors } from "#domain/errors/api/clients.ts";
import { instanceErrors } from "#domain/errors/api/instances.ts";
import { requestErrors } from "#domain/errors/api/requests.ts";
import { type StatedError, stateError } from "#domain/errors/stated.ts";
import { Failure } from "../../http/failure.tsx";
import { requireOwn } from "../../http/git-owned.ts";
import type { Caller } from "../../identity/caller.ts";

interface Tenant {
  client: ListedClient;
  instance: KnownInstance;
}

/** Returns why an ADMIN cannot change the tenant now; undefined if it can. */
export function ownChangeRefusal({ client, instance }: Tenant): StatedError | undefined {
  const { slug } = client;
  const { status } = instance;
  if (client.managed_by === "git" || instance.managed_by === "git") {
    return stateError(requestErrors.own_tenant_declared_in_git, { slug });
  }
  if (client.delete_after !== null) return stateError(clientErrors.client_being_deleted, { slug });
  if (status === "running") return undefined;
  return stateError(instanceErrors.own_change_needs_running_instance, { slug, status });
}

/** @throws Failure `managed_by_git`; for an ADMIN also `conflict` for a client that is being deleted, or an instance that does not run */
export function requireChangeable({ client, instance }: Tenant, caller: Caller): void {
  const refusal = caller.tenant === undefined ? undefined : ownChangeRefusal({ client, instance });
  if (refusal !== undefined) throw new Failure(refusal);
  requireOwn(`The client ${client.slug}`, client, client.slug);
  requireOwn(`The instance of ${client.slug}`, instance, client.slug);
}
