import type { Environment } from "#domain/environment.ts";
import type { AiGateway } from "#workers/contracts/api/tenants/ai-gateways.ts";

type Owned = Pick<AiGateway, "managed_by" | "declared_in" | "declared_by">;

/** @param here the environment of this dashboard */
export function ownerName({ managed_by, declared_by }: Owned, here: Environment): string {
  if (managed_by === "git") return "Git";
  return declared_by === here ? "This dashboard" : `The ${declared_by} dashboard`;
}

/** Returns where to change an entry that this dashboard does not own; undefined for its own. */
export function foreignOwnerHint(
  { managed_by, declared_in, declared_by }: Owned,
  here: Environment,
): string | undefined {
  if (managed_by === "git") {
    return `Managed in Git: change ${declared_in ?? "the stack's settings file"} and deploy the stack.`;
  }
  return declared_by === here ? undefined : `Change it in the ${declared_by} dashboard, which owns it.`;
}
