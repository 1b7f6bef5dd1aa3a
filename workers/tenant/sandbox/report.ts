/** Reports the sandbox to administrators: its status and its log, without secrets. */
import { PASSIVE_PROBE_TIMEOUT_MS } from "#workers/contracts/tenant/health-snapshot.ts";
import type { ProcessList, SandboxActivity } from "#workers/contracts/tenant/sandbox.ts";
import { bundleHash, type SandboxStatus, type SleepStatus } from "#workers/contracts/tenant/sandbox-status.ts";
import type { StateInformation } from "../backup/state-information.ts";
import type { EventLog } from "../event-log.ts";
import type { GatewayEnds } from "../gateway/process/ends.ts";
import type { SleepControl } from "../sleep/control.ts";
import type { SandboxPort } from "./port.ts";
import { warningsOf } from "./scarcity.ts";

export interface SandboxReportOptions {
  sandbox: Pick<SandboxPort, "listProcesses" | "readLog">;
  state: StateInformation;
  sleep: Pick<SleepControl, "status">;
  ends: Pick<GatewayEnds, "lines">;
  events: Pick<EventLog, "lines">;
  /** Removes the secrets from a text. */
  mask: (text: string) => string;
  /** Content hash of the Worker's bundle, if it is known. */
  bundle: string | undefined;
}

export class SandboxReport {
  readonly #o: SandboxReportOptions;

  constructor(options: SandboxReportOptions) {
    this.#o = options;
  }

  /** What of the sandbox is used. Wakes nothing. */
  async status(): Promise<SandboxStatus> {
    const { sandbox, state } = this.#o;
    const at = new Date();
    const ts = at.toISOString();
    const versions = await this.#versions();
    try {
      const list = await sandbox.listProcesses(AbortSignal.timeout(PASSIVE_PROBE_TIMEOUT_MS));
      const { activity, resources = {} } = list;
      await state.observed(list, at);
      return {
        ts,
        sandbox: conditionOf(list),
        ...versions,
        ...resources,
        sleep: await this.#sleepStatus(activity),
        ...(await state.hindrance()),
        warnings: warningsOf(resources),
      };
    } catch {
      return { ts, sandbox: "unknown", ...versions, ...(await state.hindrance()), warnings: [] };
    }
  }

  /** The recorded events, then the last lines of the gateway's log. */
  async log(lines: number): Promise<string[]> {
    const { ends, events, sandbox, mask } = this.#o;
    // Lines of both sources begin with their time.
    const recorded = [...(await ends.lines()), ...events.lines].sort();
    return [...recorded, ...(await sandbox.readLog(lines))].map(mask);
  }

  /** @param activity `undefined` while the sandbox sleeps */
  async #sleepStatus(activity: SandboxActivity | undefined): Promise<SleepStatus> {
    const { keptAwake, ...status } = await this.#o.sleep.status(activity);
    // The details come from the gateway, so they may hold secrets.
    return { ...status, ...(keptAwake && { keptAwake: { ...keptAwake, details: this.#o.mask(keptAwake.details) } }) };
  }

  /** The gateway version that the image last reported, and the version of this Worker. */
  async #versions(): Promise<Pick<SandboxStatus, "gateway" | "worker">> {
    const gateway = await this.#o.state.gateway();
    const worker = bundleHash.safeParse(this.#o.bundle);
    return { ...(gateway && { gateway }), ...(worker.success && { worker: worker.data }) };
  }
}

function conditionOf({ ending, activity }: ProcessList): SandboxStatus["sandbox"] {
  if (ending) return "ending";
  return activity ? "awake" : "asleep";
}
