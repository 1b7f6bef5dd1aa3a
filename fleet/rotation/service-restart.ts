/** The automation service has its secrets as variables of its process: a command of the operator's restarts it with others. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { secretOutput } from "../../automation/engine/state/backend.ts";
import type { RotateOptions } from "./options.ts";

/** Variables of the service, and the stack's outputs that hold them. */
export const SERVICE_SECRETS = {
  DATABASE_URL: "serviceUrl",
  INVALIDATE_TOKEN: "invalidateToken",
  LIVE_TOKEN: "liveToken",
} as const;

/** Runs the command with the service's secrets in its environment. @throws Error when it fails */
export async function restartService(command: string, { stack, variables }: RotateOptions): Promise<void> {
  const secrets = await Promise.all(
    Object.entries(SERVICE_SECRETS).map(async ([name, output]) => [name, await secretOutput(stack, output, variables)]),
  );
  const child = spawn(command, {
    shell: true,
    env: { ...process.env, ...Object.fromEntries(secrets) },
    // The report alone goes to standard output.
    stdio: ["ignore", process.stderr, process.stderr],
  });
  const [code, signal] = await once(child, "close");
  if (code !== 0) throw new Error(`The command of --service failed (${signal ?? `exit code ${code}`}): ${command}`);
}
