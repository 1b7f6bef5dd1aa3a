/** What containers are made of where they are plain processes: the stand-in for an image. */
import { join } from "node:path";
import * as z from "zod";

export const processImage = z.object({
  /** Folder of the image's scripts on this machine. */
  scripts: z.string(),
  /** Where a confined container finds them, to read. */
  scriptsAt: z.string(),
  /** Variables of each container. No command of the Worker changes them. */
  variables: z.record(z.string(), z.string()),
  /** Names of variables that hold a program and its arguments as a JSON array, the main one first. A container sees the files that they name. */
  commands: z.array(z.string()),
  /** The port that Workers reach, and the variable that names the port of this machine that stands for it. */
  port: z.object({ number: z.number().int(), variable: z.string() }),
  /** Variables that hold the address of a host whose requests the Worker intercepts, such as `http://metrics.internal/metrics`. */
  hosts: z.record(z.string(), z.url()),
  /** Folders that a container has in `/workspace` from its start. */
  folders: z.array(z.string()),
  /** Shell command of each start, before the first command of the Worker. */
  onStart: z.string(),
  /** Shell command that the first process of a confined container becomes when it is told to end. */
  onTerminate: z.string(),
  /** Variables of containers that are not confined. `{workspace}` and `{scripts}` stand for folders of this machine. */
  unconfined: z.record(z.string(), z.string()),
});
export type ProcessImage = z.infer<typeof processImage>;

/** Node.js and the system's programs, without scripts of its own. A Worker reaches port 8080 of its container. */
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
