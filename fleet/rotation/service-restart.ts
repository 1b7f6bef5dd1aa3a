/** The automation service reads its secrets from the environment: a command of the operator, or `npm start`, restarts it with new ones. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { secretOutput } from "#automation/engine/state/backend.ts";
import type { RotateOptions } from "./options.ts";

/** Outputs of the stack by the service's variables. */
export const SERVICE_SECRETS = {
  DATABASE_URL: "serviceUrl",
  INVALIDATE_TOKEN: "invalidateToken",
  LIVE_TOKEN: "liveToken",
} as const;

/** @returns false if neither a command nor a local edge can restart the service @throws Error if the restart fails */
export async function restartService({ service, stack, variables, restartLocal }: RotateOptions): Promise<boolean> {
  if (service === undefined && restartLocal === undefined) return false;
  const found = await Promise.all(
    Object.entries(SERVICE_SECRETS).map(async ([name, output]) => [name, await secretOutput(stack, output, variables)]),
  );
  const secrets: Record<string, string> = Object.fromEntries(found);
  if (service === undefined) return (await restartLocal?.(stack, secrets)) ?? false;
  await runRestartCommand(service, secrets);
  return true;
}

async function runRestartCommand(command: string, secrets: Readonly<Record<string, string>>): Promise<void> {
  const child = spawn(command, {
    shell: true,
    env: { ...process.env, ...secrets },
    // Standard output is for reports only.
    stdio: ["ignore", process.stderr, process.stderr],
  });
  const [code, signal] = await once(child, "close");
  if (code !== 0) throw new Error(`The command of --service failed (${signal ?? `exit code ${code}`}): ${command}`);
}
