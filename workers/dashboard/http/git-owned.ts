import { stackOf } from "../../../domain/owner.ts";
import { Failure } from "./failure.tsx";

/**
 * Refuses a change to what a stack file in Git declares, which the next run would put back.
 *
 * @param what for the message, such as "The client acme"
 * @param slug of the tenant that it belongs to, which can be handed to the dashboard. Default: it is no tenant's
 * @throws Failure `managed_by_git`, naming the file, and how to hand the tenant over
 */
export function requireOwn(
  what: string,
  { managedBy, owner }: { managedBy: "git" | "dashboard"; owner: string | null },
  slug?: string,
): void {
  if (managedBy !== "git") return;
  const stack = owner === null ? undefined : stackOf(owner)?.split("/").at(-1);
  const file = stack === undefined ? "its stack's settings file" : `Pulumi.${stack}.yaml`;
  const release = slug === undefined ? "" : ` To manage it here, hand it over: npm run fleet -- release ${slug}.`;
  throw new Failure("managed_by_git", `${what} is declared in Git: change ${file} and deploy it.${release}`, { file });
}
