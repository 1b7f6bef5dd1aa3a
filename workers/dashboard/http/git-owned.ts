import type { Manager } from "#domain/entities/entity.ts";
import { stackOf } from "#domain/tenants/owner.ts";
import { Failure } from "./failure.tsx";

/** A row with the stack that has it, as a URN. */
interface Owned {
  managed_by: Manager;
  owner: string | null;
}

/** The settings file in Git of the stack that has a row; undefined where that is not known. @param owner a URN */
function fileOf(owner: string | null): string | undefined {
  const stack = owner === null ? undefined : stackOf(owner)?.split("/").at(-1);
  return stack === undefined ? undefined : `Pulumi.${stack}.yaml`;
}

/**
 * Refuses a change to what a stack file in Git declares, which the next run would put back.
 *
 * @param what for the message, such as "The client acme"
 * @param slug of the tenant that it belongs to, which can be handed to the dashboard. Default: it is no tenant's
 * @throws Failure `managed_by_git`, naming the file, and how to hand the tenant over
 */
export function requireOwn(what: string, { managed_by, owner }: Owned, slug?: string): void {
  if (managed_by !== "git") return;
  const file = fileOf(owner) ?? "its stack's settings file";
  const release = slug === undefined ? "" : ` To manage it here, hand it over: npm run fleet -- release ${slug}.`;
  throw new Failure("managed_by_git", `${what} is declared in Git: change ${file} and deploy it.${release}`, { file });
}

/** What answers tell as `declared_in`: the file of {@link fileOf}; null for what is the dashboard's. */
export const declaredIn = ({ managed_by, owner }: Owned): string | null =>
  managed_by === "git" ? (fileOf(owner) ?? null) : null;
