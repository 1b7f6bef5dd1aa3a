import { join } from "node:path";
import type { ProcessImage } from "../process-image.ts";

/** Returns an image with a port and a program in the variable `PROGRAM`. */
export const testImage = (program: readonly string[] = ["true"]): ProcessImage => ({
  scripts: join(import.meta.dirname, "image"),
  scriptsAt: "/opt/image",
  variables: { PROGRAM: JSON.stringify(program) },
  commands: ["PROGRAM", "VERSION_PROGRAM"],
  port: { number: 18_789, variable: "PROGRAM_PORT" },
  hosts: { CALLS_URL: "http://calls.internal/v1" },
  folders: ["state"],
  onStart: "touch /workspace/started",
  onTerminate: "exit 0",
  unconfined: { STATE_DIR: "{workspace}/state", SCRIPTS: "{scripts}" },
});
