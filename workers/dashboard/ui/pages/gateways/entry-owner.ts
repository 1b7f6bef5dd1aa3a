/** Who has an entry of the pool, and alone may change it. */
import type { Environment } from "#domain/environment.ts";
import type { AiGateway } from "#workers/contracts/api/tenants/ai-gateways.ts";

type Owned = Pick<AiGateway, "managed_by" | "declared_in" | "declared_by">;

/** In a word or two. @param here the environment of this dashboard */
export function ownerOf({ managed_by, declared_by }: Owned, here: Environment): string {
  if (managed_by === "git") return "Git";
  return declared_by === here ? "this dashboard" : `the ${declared_by} dashboard`;
}

/** Where an entry is changed that is not changed here; undefined where it is. */
export function elsewhere({ managed_by, declared_in, declared_by }: Owned, here: Environment): string | undefined {
  if (managed_by === "git") {
    return `It is declared in Git: change ${declared_in ?? "its stack's settings file"} and deploy it.`;
  }
  return declared_by === here ? undefined : `It is the ${declared_by} dashboard's: change it there.`;
}
