/** Runs commands of the engine that write a state, also after a run that was killed while it held the lock. */
import { CommandRefused, type EngineVariables, engineCommand } from "../command-line.ts";
import { PROJECT } from "../project-name.ts";
import { areDead, lockHolders } from "./recovery.ts";

export interface UnlockedOptions {
  variables: EngineVariables;
  /** Receives a message when a lock is removed. */
  onRecovered: (what: string) => void;
  /** Ends the command. Default: nothing does. */
  signal?: AbortSignal | undefined;
  /** Standard input of the command. Default: empty. */
  input?: string;
}

/** The stack of a lock, in the path that a refusal names. */
const LOCKED_STACK = new RegExp(`/locks/organization/${PROJECT}/([^/\\s]+)/`, "g");

/**
 * Runs a command. If only killed runs of this machine hold a stack that it needs, removes their locks and runs it again.
 *
 * @param args as for `engineCommand`
 * @param cwd directory of a project
 * @throws CommandRefused, also if a lock belongs to a run that may still be alive
 */
export async function unlockedCommand(
  args: readonly string[],
  cwd: string,
  { variables, onRecovered, ...how }: UnlockedOptions,
): Promise<void> {
  try {
    await engineCommand(args, cwd, variables, how);
  } catch (error) {
    if (!(error instanceof CommandRefused)) throw error;
    if (!areDead(lockHolders(error.message), {})) throw error;
    for (const stack of new Set([...error.message.matchAll(LOCKED_STACK)].map(([, name = ""]) => name))) {
      await engineCommand(["cancel", `organization/${PROJECT}/${stack}`, "--yes"], cwd, variables);
      onRecovered(`The lock that a killed run left on the stack ${stack} was removed.`);
    }
    await engineCommand(args, cwd, variables, how);
  }
}
