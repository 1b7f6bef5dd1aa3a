import type { PlatformOwner } from "#database/people/stack-owners.ts";
import type { Environment } from "#domain/environment.ts";
import { isForeign } from "#domain/tenants/owner.ts";
import { currentStack } from "../current-stack.ts";
import { refuseFaults } from "../refusal.ts";

/**
 * Refuses a run that would change the environment of a deployed platform. All names depend on the environment, so the run would
 * replace the whole platform, without the protection of production.
 * @throws RunError before resources are declared, in a preview too
 */
export function refuseOtherEnvironment(environment: Environment, owners: readonly PlatformOwner[]): void {
  const here = currentStack();
  const deployed = owners.find((found) => found.environment !== environment && !isForeign(found.owner, here));
  if (deployed === undefined) return;
  refuseFaults("the environment of a deployed platform cannot be changed:", [
    `The stack ${here} has the platform of ${deployed.environment}. Set tenantry:environment to ${deployed.environment} again, and deploy ${environment} from another stack.`,
  ]);
}
