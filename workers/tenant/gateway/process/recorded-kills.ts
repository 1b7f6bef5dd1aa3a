import { PASSIVE_PROBE_TIMEOUT_MS } from "#workers/contracts/tenant/health-snapshot.ts";
import type { SandboxPort } from "../../sandbox/port.ts";
import type { GatewayEnds } from "./ends.ts";

/** Records each ordered end, so that a killed gateway does not count as one that died. */
export function recordingKills(sandbox: SandboxPort, ends: GatewayEnds): SandboxPort {
  return {
    ...sandbox,
    kill: async (idleMs) => {
      // An order comes too late for a gateway that was lost with its container.
      if (idleMs === undefined && (await isWithoutContainer(sandbox))) await ends.recordAbsence(new Date());
      const isEnded = await sandbox.kill(idleMs);
      if (isEnded) await ends.recordOrderedEnd();
      return isEnded;
    },
  };
}

async function isWithoutContainer(sandbox: SandboxPort): Promise<boolean> {
  const list = await sandbox.listProcesses(AbortSignal.timeout(PASSIVE_PROBE_TIMEOUT_MS)).catch(() => undefined);
  return list !== undefined && list.activity === undefined;
}
