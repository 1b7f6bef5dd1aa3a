import type { Manager } from "#domain/entities/entity.ts";
import { requestErrors } from "#domain/errors/api/requests.ts";
import { stackOf } from "#domain/tenants/owner.ts";
import type { Caller } from "../identity/caller.ts";
import { failure } from "./failure.tsx";

/** A row, with the URN of the stack that owns it. */
interface Owned {
  managed_by: Manager;
  owner: string | null;
}

/** Returns the settings file of the owning stack; `undefined` if unknown. */
function fileOf(owner: string | null): string | undefined {
  const stack = owner === null ? undefined : stackOf(owner)?.split("/").at(-1);
  return stack === undefined ? undefined : `Pulumi.${stack}.yaml`;
}

/**
 * Refuses changes to rows that a stack file in Git declares, because the next run would revert them.
 *
 * @param what for the message, such as "The client acme"
 * @param slug of its tenant, which can be handed over to the dashboard. Default: none
 * @param caller an ADMIN gets the advice to ask the operator. Default: a root
 * @throws Failure `managed_by_git` with the file and the handover command
 */
export function requireOwn(
  what: string,
  { managed_by, owner }: Owned,
  slug?: string,
  caller?: Pick<Caller, "tenant">,
): void {
  if (managed_by !== "git") return;
  if (caller?.tenant !== undefined) {
    throw failure(requestErrors.own_tenant_declared_in_git, { slug: caller.tenant.slug });
  }
  const file = fileOf(owner) ?? "its stack's settings file";
  const { declared_in_git, tenant_declared_in_git } = requestErrors;
  if (slug === undefined) throw failure(declared_in_git, { what, file }, { details: { file } });
  throw failure(tenant_declared_in_git, { what, file, slug }, { details: { file } });
}

/** Returns the field `declared_in` of a response. */
export const declaredIn = ({ managed_by, owner }: Owned): string | null =>
  managed_by === "git" ? (fileOf(owner) ?? null) : null;
