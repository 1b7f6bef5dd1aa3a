import * as z from "zod";
import { type EngineVariables, engineCommand } from "../command-line.ts";
import { withProject } from "../project.ts";

const listedStack = z.object({
  /** Without organization and project if it is in this project. */
  name: z.string(),
  /** Undefined if it was never written. */
  lastUpdate: z.string().optional(),
  /** Undefined if the backend does not report it. */
  resourceCount: z.number().optional(),
});
export type ListedStack = z.infer<typeof listedStack>;

/** Lists every stack of the backend, also of other projects. @throws CommandRefused if one of them cannot be read */
export async function listStacks(variables: EngineVariables): Promise<ListedStack[]> {
  const text = await withProject((directory) =>
    engineCommand(["stack", "ls", "--all", "--json"], directory, variables),
  );
  return z.array(listedStack).parse(JSON.parse(text));
}

/** Reads and decrypts one output of a stack. @throws CommandRefused if there is none or it cannot be decrypted */
export async function secretOutput(stack: string, name: string, variables: EngineVariables): Promise<string> {
  const args = ["stack", "output", name, "--show-secrets", "--stack", stack];
  return (await withProject((directory) => engineCommand(args, directory, variables))).trim();
}
