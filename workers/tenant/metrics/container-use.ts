/** Measures the use of a container before it ends. */
import type { SandboxPort } from "../sandbox/port.ts";
import type { UsageMeter } from "./usage-meter.ts";

const TIMEOUT_MS = 10_000;

/** Measures the use so far. Does not reject. */
export async function measureContainer(
  sandbox: Pick<SandboxPort, "listProcesses">,
  meter: Pick<UsageMeter, "record">,
): Promise<void> {
  const list = await sandbox.listProcesses(AbortSignal.timeout(TIMEOUT_MS)).catch(() => undefined);
  if (list?.activity !== undefined) meter.record(list.activity);
}

/** Ends the gateway and measures the use so far. */
export async function endGateway(
  sandbox: Pick<SandboxPort, "listProcesses" | "kill">,
  meter: Pick<UsageMeter, "record">,
): Promise<void> {
  await sandbox.kill();
  await measureContainer(sandbox, meter);
}
