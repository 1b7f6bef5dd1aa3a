import { bindingMs, type TenantEnv } from "../env.ts";
import type { RecordEvent } from "../event-log.ts";
import type { SandboxPort } from "../sandbox/port.ts";
import { alwaysAwake, type SleepControl } from "./control.ts";
import { IdleTime } from "./idle-time.ts";
import { NextJob } from "./next-job.ts";
import { Postponement } from "./postponement.ts";
import { SleepSchedule } from "./schedule.ts";
import { Sleeper, type SleeperOptions } from "./sleeper.ts";
import { WakeUp, type WakeUpGateway } from "./wake-up.ts";
import { WAKE_LEAD_MS, WorkWatch, type WorkWatchOptions } from "./work-watch.ts";

export interface TenantSleepOptions extends Pick<SleeperOptions, "maker" | "forgetStatus" | "measure"> {
  env: TenantEnv;
  storage: DurableObjectStorage;
  sandbox: SandboxPort;
  gateway: WakeUpGateway;
  /** Returns how many messages of the inbox wait for the gateway. */
  pendingMessages: () => Promise<number>;
  /** Whether the tenant is frozen or stopped. */
  isHeld: () => Promise<boolean>;
  /** Stores the gateway's report of its work. */
  recordReport: WorkWatchOptions["recordReport"];
  /** Sets the object's alarm to ring within this many milliseconds. */
  ringWithin: (ms: number) => Promise<void>;
  record: RecordEvent;
}

/** Creates the sandbox's sleep from the Worker's bindings. */
export function tenantSleepOf(options: TenantSleepOptions): SleepControl {
  const { env, storage, sandbox, gateway, pendingMessages, isHeld, recordReport, ringWithin, record } = options;
  const idleMs = bindingMs("SLEEP_AFTER_SECONDS", env.SLEEP_AFTER_SECONDS);
  if (idleMs === undefined) return alwaysAwake;
  const job = new NextJob(storage);
  const sleepsWithChannels = env.SLEEP_WITH_CHANNELS === "1";
  const work = new WorkWatch({
    storage,
    sandbox,
    job,
    sleepsWithChannels,
    recordReport,
    leadMs: bindingMs("WAKE_LEAD_SECONDS", env.WAKE_LEAD_SECONDS) ?? WAKE_LEAD_MS,
  });
  const afterJobMs = Math.min(idleMs, work.minSleepMs);
  return new SleepSchedule({
    sandbox,
    idle: new IdleTime({ storage, job, idleMs, afterJobMs }),
    sleeper: new Sleeper(options),
    postponement: new Postponement({ work, job, gateway, pendingMessages, isHeld, record, idleMs }),
    job,
    work,
    sleepsWithChannels,
    wakeUp: new WakeUp({ job, work, gateway, isHeld, record, idleMs }),
    gateway,
    ringWithin,
  });
}
