/** What of a stack's state becomes another's, by the engine's own command line. */
import { stackName } from "#domain/tenants/owner.ts";
import { engineCommand } from "../command-line.ts";
import { type Encryption, RunProject } from "../project.ts";
import { qualifiedStack } from "./scratch-backend.ts";
import { type UnlockedOptions, unlockedCommand } from "./unlocked-command.ts";

/** Where the states are, and who hears of a lock that was removed. */
export type StateOptions = Pick<UnlockedOptions, "variables" | "onRecovered">;

export interface StateMove {
  from: string;
  to: string;
  /** Of the resource in the stack that it leaves; what belongs to it goes with it. */
  urn: string;
  /** How the state of `to` is encrypted; `undefined` where the stack is still to be made. */
  encryption: Encryption | undefined;
}

/** Moves it. The engine writes the stack that gets it first, so that one which is killed leaves it in both. @throws Error with what the engine said */
export async function moveState({ from, to, urn, encryption }: StateMove, options: StateOptions): Promise<void> {
  const name = qualifiedStack(to);
  const project = new RunProject(stackName(name), {}, encryption);
  try {
    if (encryption === undefined) {
      const { SECRETS_PROVIDER: provider } = options.variables;
      const secrets = provider ? ["--secrets-provider", provider] : [];
      await engineCommand(["stack", "init", name, "--no-select", ...secrets], project.directory, options.variables);
    }
    const stacks = ["--source", qualifiedStack(from), "--dest", name];
    await unlockedCommand(["state", "move", ...stacks, urn, "--yes"], project.directory, options);
  } finally {
    project.remove();
  }
}

/** Takes a resource and what depends on it out of a stack's state alone. @throws Error with what the engine said */
export async function forgetState(stack: string, urn: string, options: StateOptions): Promise<void> {
  const project = new RunProject("forget", {});
  try {
    const args = ["state", "delete", urn, "--target-dependents", "--stack", qualifiedStack(stack), "--yes"];
    await unlockedCommand(args, project.directory, options);
  } finally {
    project.remove();
  }
}
