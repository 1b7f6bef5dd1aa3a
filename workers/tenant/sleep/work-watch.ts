/** Tells whether sleep would cut the gateway's own work off: what it does, the job that is due soon, the channels it listens on. */
import type { GatewayWork } from "#workers/contracts/tenant/sandbox.ts";
import type { AwakeReason } from "#workers/contracts/tenant/sandbox-status.ts";
import type { SandboxPort, WorkAnswer } from "../sandbox/port.ts";
import type { NextJob, SleepStorage } from "./next-job.ts";

/** Standard of {@link WorkWatchOptions.leadMs}: OpenClaw needs up to a minute to start on a small plan. */
export const WAKE_LEAD_MS = 120_000;
/** Sleep that is worth its backup and its start, in leads. */
const LEAST_SLEEP_LEADS = 2.5;
/** How long a job may be late before it is no job to wait for, in leads. */
const OVERDUE_LEADS = 5;
/** Longest that an answer may take, in milliseconds. */
const ASK_TIMEOUT_MS = 20_000;
/** Answers in a row that may fail to come: with one question a minute, some minutes. Then the sandbox sleeps. */
const MOST_FAILURES = 3;
/** Times in a row that what was merely measured keeps the sandbox awake: with one question a minute, four hours. */
const MOST_GUESSES = 240;
/** A job that is further away, in milliseconds, is none that anybody waits for; nor one of a year that no date of ISO 8601 holds. */
const FURTHEST_JOB_MS = 366 * 24 * 60 * 60_000;
const KEY = "work-answers";

/** Answers in a row that tell little. */
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
  sandbox: Pick<SandboxPort, "askWork">;
  job: NextJob;
  /** Whether it sleeps although channels are connected. */
  sleepsWithChannels: boolean;
  /** How long before a job the sandbox is woken, in milliseconds. */
  leadMs: number;
}

export class WorkWatch {
  readonly #o: WorkWatchOptions;

  constructor(options: WorkWatchOptions) {
    this.#o = options;
  }

  /** Shortest sleep that is begun, in milliseconds. */
  get leastSleepMs(): number {
    return LEAST_SLEEP_LEADS * this.#o.leadMs;
  }

  /** When to wake for a job, in milliseconds since the epoch. */
  wakeFor(job: number): number {
    return job - this.#o.leadMs;
  }

  /** Whether a job should have run so long ago that it does not. */
  isMissed(job: number, now: number): boolean {
    return now - job > OVERDUE_LEADS * this.#o.leadMs;
  }

  /** Asks the gateway. @returns why the sandbox must not sleep; `undefined` when it may. Does not reject. */
  async ask(now: () => number): Promise<Postponed | undefined> {
    const { storage, sandbox, job } = this.#o;
    const before = (await storage.get<Doubts>(KEY)) ?? { failures: 0, guesses: 0 };
    let answer: WorkAnswer;
    try {
      answer = await sandbox.askWork(AbortSignal.timeout(ASK_TIMEOUT_MS));
    } catch (error) {
      const failures = before.failures + 1;
      if (failures < MOST_FAILURES) return this.#doubt({ ...before, failures }, "no answer", String(error));
      await storage.delete(KEY);
      return undefined;
    }
    const { work, told } = answer;
    if (told) await job.set(nextJob(work, now()));
    const postponed = this.#cutOff(answer, await job.at(), now());
    const guesses = told || postponed === undefined ? 0 : before.guesses + 1;
    if (postponed === undefined || guesses > MOST_GUESSES) {
      await storage.delete(KEY);
      return undefined;
    }
    return this.#doubt({ failures: 0, guesses }, postponed.reason, postponed.details);
  }

  async #doubt(doubts: Doubts, reason: Postponed["reason"], details: string): Promise<Postponed> {
    // This object may be evicted before it asks again.
    await this.#o.storage.put(KEY, doubts);
    return { reason, details };
  }

  #cutOff({ work, told }: WorkAnswer, job: number | undefined, now: number): Postponed | undefined {
    const { busy, reason, channels = 0 } = work;
    if (busy) return { reason: "busy", details: reason ?? "the gateway says so" };
    if (channels > 0 && !this.#o.sleepsWithChannels)
      return { reason: "channels", details: `${channels} ${told ? "connected" : "connections to other hosts"}` };
    if (job === undefined || job - now >= this.leastSleepMs || this.isMissed(job, now)) return undefined;
    return { reason: "job", details: `due ${new Date(job).toISOString()}` };
  }
}

/** In milliseconds since the epoch. */
function nextJob({ nextJobAt }: GatewayWork, now: number): number | undefined {
  const at = nextJobAt === undefined ? Number.NaN : Date.parse(nextJobAt);
  return Math.abs(at - now) <= FURTHEST_JOB_MS ? at : undefined;
}
