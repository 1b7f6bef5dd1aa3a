/** The backend of the stacks' states. */
import { CommandRefused, engineCommand } from "#automation/engine/command-line.ts";
import { withProject } from "#automation/engine/project.ts";
import { locksOf } from "#automation/engine/state/recovery.ts";
import { asSentence } from "#domain/errors/catalogue-error.ts";
import { preflightServiceErrors as errors } from "#domain/errors/commands/fleet-preflight.ts";
import { stackName } from "#domain/tenants/owner.ts";
import { type Check, failed, type Outcome, passed } from "../check.ts";
import type { Requirements } from "../requirements.ts";

/** One name, so that backends that keep a copy of removed stacks keep one. */
const SCRATCH = "tenantry-preflight";

export const backendChecks: readonly Check[] = [
  { id: "stack", title: "Stack", run: checkStack },
  { id: "backend", title: "Backend of the states", run: checkBackend },
];

async function checkStack({ stack, state, variables }: Requirements): Promise<Outcome> {
  if ("fault" in state) return failed(errors.preflight_backend_failed, { fault: asSentence(state.fault) });
  if (state.found === undefined) return failed(errors.preflight_stack_missing, { stack });
  if (locksOf(variables.PULUMI_BACKEND_URL ?? "", stackName(stack)).length > 0)
    return failed(errors.preflight_stack_locked, { stack });
  return passed(state.found.isEmpty ? "not deployed yet" : "deployed");
}

/** Creates and deletes an empty stack: the engine writes both under a lock (pulumi/pulumi: pkg/backend/diy/backend.go). */
async function checkBackend({ encryption, variables, signal }: Requirements): Promise<Outcome> {
  const provider = encryption.secretsprovider ?? variables.SECRETS_PROVIDER;
  const run = (args: readonly string[], ending?: AbortSignal) =>
    withProject((directory) => engineCommand(args, directory, variables, { signal: ending }), { stack: SCRATCH });
  // Also after an interruption.
  const remove = () => run(["stack", "rm", SCRATCH, "--yes"]);
  try {
    try {
      await run(
        ["stack", "init", SCRATCH, "--no-select", ...(provider ? ["--secrets-provider", provider] : [])],
        signal,
      );
    } catch (error) {
      // An earlier check was killed.
      if (!(error instanceof CommandRefused && /already exists/.test(error.message))) {
        await remove().catch(() => undefined);
        throw error;
      }
    }
    await remove();
    return passed();
  } catch (error) {
    return failed(errors.preflight_backend_failed, { fault: asSentence((error as Error).message) });
  }
}
