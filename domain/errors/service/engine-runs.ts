/** Runs of the engine by the automation service and by commands. */
import { defineErrors } from "../catalogue.ts";

export const engineRunErrors = defineErrors({
  stack_of_other_platform: {
    message:
      "The stack {stack} has tenants of the platform {found}. This run would remove them there and recreate them at {named}.",
    remedy:
      "Keep {found} in tenantry:platformStack, or choose another slug. If that stack was renamed, deploy this one once with `pulumi up`.",
  },
  stack_locked: {
    message: "Another run has locked the stack {stack}{holders}.",
    remedy: "Wait until it ends.",
  },
  recovery_without_token: {
    message: "A killed run may have left resources in the account.",
    remedy: "Set CLOUDFLARE_API_TOKEN, so that they can be found and removed.",
  },
  run_memory_exceeded: {
    message: "The run exceeded its memory limit of {memory} MiB.",
    remedy: "Raise ENGINE_MEMORY_MIB.",
  },
  run_died: {
    message: "The engine's process ended before the run was complete: {how}.",
    remedy: "Run it again to continue.",
  },
});
