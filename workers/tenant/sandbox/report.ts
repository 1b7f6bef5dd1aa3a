/** Reports the sandbox's status and log to administrators, without secrets. */
import { PASSIVE_PROBE_TIMEOUT_MS } from "#workers/contracts/tenant/health-snapshot.ts";
import type { ProcessList } from "#workers/contracts/tenant/sandbox.ts";
import { bundleHash, type SandboxStatus, type SleepStatus } from "#workers/contracts/tenant/sandbox-status.ts";
import type { Troubles } from "../backup/troubles.ts";
import type { ImageVersion } from "../backup/upgrade/image-version.ts";
import type { StateUpgrade } from "../backup/upgrade/state-upgrade.ts";
import type { SocketChannels } from "../channels/socket-channels.ts";
import type { EventLog } from "../event-log.ts";
import type { GatewayEnds } from "../gateway/process/ends.ts";
import type { Inbox } from "../inbox/inbox.ts";
import type { SleepControl } from "../sleep/control.ts";
import type { SandboxPort } from "./port.ts";
import { warningsOf } from "./scarcity.ts";

export interface StatusParts {
  sandbox: Pick<SandboxPort, "listProcesses">;
  upgrade: Pick<StateUpgrade, "observe" | "status">;
  troubles: Pick<Troubles, "current">;
  image: Pick<ImageVersion, "lastReported">;
  sleep: Pick<SleepControl, "status">;
  /** Removes secrets from a text. */
  mask: (text: string) => string;
  inbox: Pick<Inbox, "status">;
  sockets: Pick<SocketChannels, "status">;
  /** Content hash of the Worker's bundle. */
  bundle: string | undefined;
}

/** Returns the sandbox's status. Does not wake it. */
export async function sandboxStatus(parts: StatusParts): Promise<SandboxStatus> {
  const at = new Date();
  const gateway = await parts.image.lastReported();
  const worker = bundleHash.safeParse(parts.bundle);
  const base = {
    ts: at.toISOString(),
    inbox: parts.inbox.status(),
    ...(gateway && { gateway }),
    ...(worker.success && { worker: worker.data }),
  };
  try {
    const list = await parts.sandbox.listProcesses(AbortSignal.timeout(PASSIVE_PROBE_TIMEOUT_MS));
    await parts.upgrade.observe(list, at);
    const { activity, resources = {} } = list;
    return {
      ...base,
      sandbox: conditionOf(list),
      ...resources,
      socketChannels: await parts.sockets.status(conditionOf(list) === "awake"),
      sleep: maskDetails(await parts.sleep.status(activity), parts.mask),
      ...(await hindranceOf(parts)),
      warnings: warningsOf(resources),
    };
  } catch {
    return { ...base, sandbox: "unknown", ...(await hindranceOf(parts)), warnings: [] };
  }
}

/** Returns what keeps the gateway from starting with the state: an upgrade or a backup problem. */
async function hindranceOf({ upgrade: stateUpgrade, troubles }: StatusParts) {
  const [upgrade, trouble] = await Promise.all([stateUpgrade.status(), troubles.current()]);
  return { ...(upgrade && { upgrade }), ...(trouble && { trouble }) };
}

/** The details come from the gateway, so they may contain secrets. */
function maskDetails({ keptAwake, ...status }: SleepStatus, mask: (text: string) => string): SleepStatus {
  return { ...status, ...(keptAwake && { keptAwake: { ...keptAwake, details: mask(keptAwake.details) } }) };
}

function conditionOf({ ending, activity }: ProcessList): SandboxStatus["sandbox"] {
  if (ending) return "ending";
  return activity ? "awake" : "asleep";
}

export interface LogParts {
  sandbox: Pick<SandboxPort, "readLog">;
  ends: Pick<GatewayEnds, "lines">;
  events: Pick<EventLog, "lines">;
  mask: (text: string) => string;
}

/** Returns the recorded events, then the last lines of the gateway's log. */
export async function gatewayLog({ ends, events, sandbox, mask }: LogParts, lines: number): Promise<string[]> {
  // Lines of both sources begin with their time.
  const recorded = [...(await ends.lines()), ...events.lines].sort();
  return [...recorded, ...(await sandbox.readLog(lines))].map(mask);
}
