import { CommandRefused, type EngineVariables, engineCommand } from "../command-line.ts";
import { PROJECT } from "../project-name.ts";
import { areDead, lockHolders } from "./recovery.ts";

export interface UnlockedOptions {
  variables: EngineVariables;
  /** Called when a lock is removed. */
  onRecovered: (what: string) => void;
  signal?: AbortSignal | undefined;
  input?: string;
}

/** The stack in the path of a lock. */
const LOCKED_STACK = new RegExp(`/locks/organization/${PROJECT}/([^/\\s]+)/`, "g");

/** Runs a command that writes a state. Removes locks of killed runs of this machine and retries. @throws CommandRefused */
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
      onRecovered(`Removed the lock of a killed run from the stack ${stack}.`);
    }
    await engineCommand(args, cwd, variables, how);
  }
}
