/** What there is in the backend: its stacks, and what one of them keeps secret. */
import * as z from "zod";
import { type EngineVariables, engineCommand } from "../command-line.ts";
import { RunProject } from "../project.ts";

const listedStack = z.object({
  /** As the engine takes it in this project: without organization and project where it is one of this project's. */
  name: z.string(),
  /** When it was written last, as the engine writes it; undefined where it never was. */
  lastUpdate: z.string().optional(),
  /** Undefined where the backend does not tell. */
  resourceCount: z.number().optional(),
});
export type ListedStack = z.infer<typeof listedStack>;

/**
 * Every stack of the backend, those of other projects too.
 *
 * @param variables of the engine: where states are and how they are entered
 * @throws CommandRefused where one of them cannot be read: nobody knows then what it holds
 */
export async function listStacks(variables: EngineVariables): Promise<ListedStack[]> {
  const text = await inProject((directory) => engineCommand(["stack", "ls", "--all", "--json"], directory, variables));
  return z.array(listedStack).parse(JSON.parse(text));
}

/**
 * Reads one secret output of a stack, which takes the passphrase or the key service.
 *
 * @throws CommandRefused where there is none, or it cannot be decrypted
 */
export async function secretOutput(stack: string, name: string, variables: EngineVariables): Promise<string> {
  const args = ["stack", "output", name, "--show-secrets", "--stack", stack];
  return (await inProject((directory) => engineCommand(args, directory, variables))).trim();
}

async function inProject<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const project = new RunProject("look", {});
  try {
    return await work(project.directory);
  } finally {
    project.remove();
  }
}
