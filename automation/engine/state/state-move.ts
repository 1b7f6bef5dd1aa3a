import { stackName } from "#domain/tenants/owner.ts";
import { engineCommand } from "../command-line.ts";
import { type Encryption, withProject } from "../project.ts";
import { qualifiedStack } from "./scratch-backend.ts";
import { type UnlockedOptions, unlockedCommand } from "./unlocked-command.ts";

type StateOptions = Pick<UnlockedOptions, "variables" | "onRecovered">;

export interface StateMove {
  from: string;
  to: string;
  /** URN of the resource in `from`; its children move too. */
  urn: string;
  /** Encryption of the state of `to`; `undefined` if the stack does not exist. */
  encryption: Encryption | undefined;
}

/** Moves a resource to another stack. The engine writes the target first: after a kill, both may have it. @throws CommandRefused */
export async function moveState({ from, to, urn, encryption }: StateMove, options: StateOptions): Promise<void> {
  const name = qualifiedStack(to);
  const move = async (directory: string) => {
    if (encryption === undefined) {
      const { SECRETS_PROVIDER: provider } = options.variables;
      const secrets = provider ? ["--secrets-provider", provider] : [];
      await engineCommand(["stack", "init", name, "--no-select", ...secrets], directory, options.variables);
    }
    const stacks = ["--source", qualifiedStack(from), "--dest", name];
    await unlockedCommand(["state", "move", ...stacks, urn, "--yes"], directory, options);
  };
  await withProject(move, { stack: stackName(name), ...(encryption && { encryption }) });
}

/** Deletes a resource and its dependents from a stack's state only. @throws CommandRefused */
export async function forgetState(stack: string, urn: string, options: StateOptions): Promise<void> {
  const args = ["state", "delete", urn, "--target-dependents", "--stack", qualifiedStack(stack), "--yes"];
  await withProject((directory) => unlockedCommand(args, directory, options));
}
