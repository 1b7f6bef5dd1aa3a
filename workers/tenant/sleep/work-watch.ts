/** Determines whether sleep would interrupt the gateway: its work, a job that is due soon, or its connected channels. */
import type { GatewayWork } from "#workers/contracts/tenant/sandbox.ts";
import type { AwakeReason } from "#workers/contracts/tenant/sandbox-status.ts";
import type { SandboxPort, WorkAnswer } from "../sandbox/port.ts";
import type { NextJob, SleepStorage } from "./next-job.ts";

/** Default of {@link WorkWatchOptions.leadMs}: OpenClaw needs up to a minute to start on a small plan. */
export const WAKE_LEAD_MS = 120_000;
/** Minimum duration of a sleep, in leads. */
const MIN_SLEEP_LEADS = 2.5;
/** A job that is later than this counts as missed, in leads. */
const MISSED_LEADS = 5;
const CHECK_TIMEOUT_MS = 20_000;
/** The sandbox sleeps after this many consecutive failed checks: a few minutes. */
const MAX_FAILURES = 3;
/** How often in a row a measurement keeps the sandbox awake: four hours with one check a minute. */
const MAX_GUESSES = 240;
/** Jobs further away are ignored, in milliseconds. This also excludes years that ISO 8601 cannot represent. */
const MAX_JOB_DISTANCE_MS = 366 * 24 * 60 * 60_000;
const KEY = "work-answers";

/** Consecutive failed checks, and checks with a measured result. */
interface Doubts {
  failures: number;
  guesses: number;
}

/** Why the sandbox is kept awake. */
export interface Postponed {
  reason: AwakeReason;
  details: string;
}

export interface WorkWatchOptions {
  storage: SleepStorage;
  sandbox: Pick<SandboxPort, "getWork">;
  job: NextJob;
  /** Whether the plan lets the sandbox sleep while channels are connected. */
  sleepsWithChannels: boolean;
  /** Stores the gateway's report. */
  recordReport: (work: GatewayWork) => Promise<void>;
  /** How long before a job the sandbox is woken, in milliseconds. */
  leadMs: number;
}

export class WorkWatch {
  readonly #o: WorkWatchOptions;

  constructor(options: WorkWatchOptions) {
    this.#o = options;
  }

  get minSleepMs(): number {
    return MIN_SLEEP_LEADS * this.#o.leadMs;
  }

  /** Returns the time of a job for which the sandbox wakes at `time`, in milliseconds since the epoch. */
  jobToWakeAt(time: number): number {
    return time + this.#o.leadMs;
  }

  /** Returns when to wake for a job, in milliseconds since the epoch. */
  wakeTimeFor(job: number): number {
    return job - this.#o.leadMs;
  }

  isMissed(job: number, now: number): boolean {
    return now - job > MISSED_LEADS * this.#o.leadMs;
  }

  /** @returns why the sandbox must not sleep; `undefined` when it may. Does not reject. */
  async check(now: () => number): Promise<Postponed | undefined> {
    const { storage, sandbox, job } = this.#o;
    const before = (await storage.get<Doubts>(KEY)) ?? { failures: 0, guesses: 0 };
    let answer: WorkAnswer;
    try {
      answer = await sandbox.getWork(AbortSignal.timeout(CHECK_TIMEOUT_MS));
    } catch (error) {
      const failures = before.failures + 1;
      if (failures < MAX_FAILURES) {
        await storage.put(KEY, { ...before, failures });
        return { reason: "no answer", details: String(error) };
      }
      await storage.delete(KEY);
      return undefined;
    }
    const { work, isReported } = answer;
    if (isReported) {
      await job.set(nextJobOf(work, now()));
      await this.#o.recordReport(work);
    }
    const postponed = this.#reasonOf(answer, await job.at(), now());
    const guesses = isReported || postponed === undefined ? 0 : before.guesses + 1;
    if (postponed === undefined || guesses > MAX_GUESSES) {
      await storage.delete(KEY);
      return undefined;
    }
    await storage.put(KEY, { failures: 0, guesses });
    return postponed;
  }

  #reasonOf({ work, isReported }: WorkAnswer, job: number | undefined, now: number): Postponed | undefined {
    const { busy, reason, channels = 0 } = work;
    if (busy) return { reason: "busy", details: reason ?? "reported by the gateway" };
    if (channels > 0 && !this.#o.sleepsWithChannels) {
      return { reason: "channels", details: isReported ? connectedOf(work) : `${channels} connections to other hosts` };
    }
    if (job === undefined || job - now >= this.minSleepMs || this.isMissed(job, now)) return undefined;
    return { reason: "job", details: `due ${new Date(job).toISOString()}` };
  }
}

/** Returns the messengers of the connected channels, or their number. */
function connectedOf({ connections = [], channels = 0 }: GatewayWork): string {
  const open = connections.filter(({ condition }) => condition !== "failed");
  const messengers = [...new Set(open.map(({ messenger }) => messenger))];
  return messengers.length === 0 ? `${channels} connected` : messengers.join(", ");
}

/** @returns milliseconds since the epoch */
function nextJobOf({ nextJobAt }: GatewayWork, now: number): number | undefined {
  const at = nextJobAt === undefined ? Number.NaN : Date.parse(nextJobAt);
  return Math.abs(at - now) <= MAX_JOB_DISTANCE_MS ? at : undefined;
}
