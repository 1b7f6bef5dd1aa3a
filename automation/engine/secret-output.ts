import { engine, type Variables } from "./command-line.ts";
import { RunProject } from "./project.ts";
import { qualifiedStack } from "./scratch-backend.ts";

/**
 * Reads one output of a stack, decrypted.
 *
 * @param variables of the engine: where states are and how they are entered
 * @throws Error with what the engine said: that there is no such stack or output, or that the secret cannot be read
 */
export async function secretOutput(stack: string, name: string, variables: Variables): Promise<string> {
  const project = new RunProject("output", {});
  try {
    const args = ["stack", "output", name, "--show-secrets", "--stack", qualifiedStack(stack)];
    return (await engine(args, project.directory, variables)).trim();
  } finally {
    project.remove();
  }
}
