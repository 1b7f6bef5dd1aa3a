import { join } from "node:path";
import * as z from "zod";

/** Replaces the image of containers that are plain processes. */
export const processImage = z.object({
  /** Folder of scripts on this machine. */
  scripts: z.string(),
  /** Read-only path of the scripts in a confined container. */
  scriptsAt: z.string(),
  /** Variables of each container. Commands cannot override them. */
  variables: z.record(z.string(), z.string()),
  /** Names of variables that have a command line as a JSON array, the main one first. A container sees the files that they name. */
  commands: z.array(z.string()),
  /** The port that Workers connect to, and the variable that has the port to listen on. */
  port: z.object({ number: z.number().int(), variable: z.string() }),
  /** Variables that have a URL whose host the Worker intercepts, such as `http://metrics.internal/metrics`. */
  hosts: z.record(z.string(), z.url()),
  /** Folders in `/workspace` that each start creates. */
  folders: z.array(z.string()),
  /** Shell command that each start runs first. */
  onStart: z.string(),
  /** Shell command that the first process of a confined container executes on SIGTERM. */
  onTerminate: z.string(),
  /** Variables of containers that are not confined. `{workspace}` and `{scripts}` are replaced by folders of this machine. */
  unconfined: z.record(z.string(), z.string()),
});
export type ProcessImage = z.infer<typeof processImage>;

/** Returns an image with Node.js and the programs of the system. A Worker connects to port 8080 of its container. */
export const plainImage = (): ProcessImage => ({
  scripts: join(import.meta.dirname, "plain-image"),
  scriptsAt: "/opt/image",
  variables: {},
  commands: [],
  port: { number: 8080, variable: "PORT" },
  hosts: {},
  folders: [],
  onStart: "true",
  onTerminate: "exit 0",
  unconfined: {},
});

/**
 * Combines the variables of the process image and of a container's image. When the latter has the main command (the first of `commands`), all
 * commands are those of the latter; else its commands are ignored.
 */
export function mergeVariables({ variables, commands }: ProcessImage, imageEnv: Record<string, string>) {
  const isCommand = (name: string) => commands.includes(name);
  const pick = (from: Record<string, string>, isWanted: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(from).filter(([name]) => isWanted(name)));
  const others = pick(imageEnv, (name) => !isCommand(name));
  const [main] = commands;
  if (main === undefined || !(main in imageEnv)) return { variables, others };
  return { variables: { ...pick(variables, (name) => !isCommand(name)), ...pick(imageEnv, isCommand) }, others };
}
