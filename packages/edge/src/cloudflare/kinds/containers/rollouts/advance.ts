/**
 * What a rollout does next. Replacing an instance: it gets SIGTERM once its Durable Object has been connected for the grace period, and
 * SIGKILL when it still runs 15 minutes later (https://developers.cloudflare.com/containers/platform-details/rollouts/). A stopped instance
 * starts again when its Durable Object requests it.
 */
import type { Instance } from "#containers/deployments.ts";
import { isOpen, type RolloutRecord, type Step } from "./record.ts";

/** In milliseconds. */
export interface RolloutTimes {
  /** From the begin of a step until instances with the target version are prepared. Until then, instances start with the former one. */
  prepareMs: number;
  /** Between two steps. */
  holdMs: number;
  /** From SIGTERM to SIGKILL. */
  drainMs: number;
}

/** Of production. Cloudflare documents `drainMs` only; the others are assumptions. */
export const VENDOR_TIMES: RolloutTimes = { prepareMs: 60_000, holdMs: 60_000, drainMs: 15 * 60_000 };
/** Without weather: shorter waits, the same drain. */
export const LOCAL_TIMES: RolloutTimes = { ...VENDOR_TIMES, prepareMs: 1_000, holdMs: 1_000 };

export interface World {
  /** Milliseconds since the epoch. */
  now: number;
  /** All running instances of the application. */
  instances: readonly Instance[];
  graceMs: number;
  times: RolloutTimes;
  /** Whether instances with the target version can start. */
  isPullable: boolean;
}

interface Stop {
  name: string;
  how: "terminate" | "remove";
}

interface Turn {
  rollout: RolloutRecord;
  stops: Stop[];
  /** When to continue at the latest. */
  wakeAt: number;
}

const NEVER = Number.POSITIVE_INFINITY;

/** Returns how many instances have the target version at a percentage: at least one, as soon as any has. */
const goalOf = ({ total }: RolloutRecord, percentage: number, running: number): number =>
  percentage === 0 ? 0 : Math.max(1, Math.ceil((Math.max(total, running) * percentage) / 100));

const isUpdated = ({ target_version }: RolloutRecord, { version }: Instance): boolean => version === target_version;

const time = (now: number): string => new Date(now).toISOString();

/**
 * Returns whether an instance that starts now gets the target version. Once a step has prepared its instances, its share of them does.
 *
 * @param instances running ones
 */
export function startsUpdated(rollout: RolloutRecord, instances: readonly Instance[]): boolean {
  const updated = instances.filter((one) => isUpdated(rollout, one)).length;
  return rollout.percentage === 100 || updated < goalOf(rollout, rollout.percentage, instances.length);
}

/** Does everything that is due now. */
export function advance(given: RolloutRecord, world: World): Turn {
  const stops: Stop[] = [];
  let rollout = given;
  for (;;) {
    const turn = takeTurn(rollout, world);
    stops.push(...turn.stops);
    if (turn.rollout === rollout || turn.wakeAt !== NEVER) return counted({ ...turn, stops }, world);
    rollout = turn.rollout;
  }
}

/** Updates the number of updated instances. */
function counted(turn: Turn, { instances, now }: World): Turn {
  const updated = instances.filter((one) => isUpdated(turn.rollout, one)).length;
  if (updated === turn.rollout.updated) return turn;
  return { ...turn, rollout: { ...turn.rollout, updated, last_updated_at: time(now) } };
}

function takeTurn(rollout: RolloutRecord, world: World): Turn {
  if (!isOpen(rollout)) return wait(rollout);
  if (rollout.back_to !== undefined) return goBack(rollout, rollout.back_to, world);
  const current = rollout.steps[rollout.current_step - 1];
  if (current?.status === "progressing") return progress(rollout, current, world);
  if (rollout.current_step === rollout.steps.length) {
    // A share of new instances stays until the next change.
    return current?.percentage === 100 ? go(complete(rollout, world.now)) : wait(rollout);
  }
  if (rollout.kind === "full_manual") return wait(rollout);
  if (isWaitingForHealth(rollout, world)) return wait(rollout);
  const due = rollout.current_step === 0 ? rollout.since : rollout.since + world.times.holdMs;
  if (world.now < due) return wait(rollout, due);
  return go(beginNext(rollout, world.now, world.instances.length));
}

/** `new_instances` goes on when an instance has the target version. */
const isWaitingForHealth = (rollout: RolloutRecord, { instances }: World): boolean =>
  rollout.strategy === "new_instances" && rollout.current_step > 0 && !instances.some((one) => isUpdated(rollout, one));

const wait = (rollout: RolloutRecord, wakeAt = NEVER, stops: Stop[] = []): Turn => ({ rollout, stops, wakeAt });
const go = (rollout: RolloutRecord): Turn => ({ rollout, stops: [], wakeAt: NEVER });

/** @param running number of running instances */
export function beginNext(rollout: RolloutRecord, now: number, running: number): RolloutRecord {
  const current_step = rollout.current_step + 1;
  const begun = { status: "progressing", started_at: time(now) } as const;
  return {
    ...rollout,
    ...begun,
    started_at: rollout.started_at ?? begun.started_at,
    current_step,
    steps: rollout.steps.map((step) => (step.id === current_step ? { ...step, ...begun } : step)),
    ...{ since: now, prepared: false, total: running, chosen: [], last_updated_at: time(now) },
  };
}

function progress(rollout: RolloutRecord, current: Step, world: World): Turn {
  const { now, instances, times } = world;
  if (!rollout.prepared) {
    const due = rollout.since + times.prepareMs;
    if (now < due) return wait(rollout, due);
    // The vendor's health gate: nothing is replaced by what does not start.
    if (!world.isPullable) return wait(rollout, now + times.prepareMs);
    return go({ ...rollout, prepared: true, percentage: current.percentage, chosen: choose(rollout, current, world) });
  }
  const outdated = instances.filter((one) => !isUpdated(rollout, one));
  const isWhole = current.percentage === 100;
  const victims = outdated.filter(({ name }) => isWhole || rollout.chosen.includes(name));
  if (victims.length > 0) return stop(rollout, victims, world);
  const ended = { status: "completed", completed_at: time(now) } as const;
  const steps = rollout.steps.map((step) => (step.id === current.id ? { ...step, ...ended } : step));
  return go({ ...rollout, steps, since: now, terminated: {}, last_updated_at: time(now) });
}

/** Chooses the instances that have run longest. */
function choose(rollout: RolloutRecord, { percentage }: Step, { instances }: World): string[] {
  const outdated = instances.filter((one) => !isUpdated(rollout, one));
  const missing = goalOf(rollout, percentage, instances.length) - (instances.length - outdated.length);
  const oldestFirst = outdated.toSorted((a, b) => a.startedAt - b.startedAt);
  return oldestFirst.slice(0, Math.max(0, missing)).map(({ name }) => name);
}

function stop(rollout: RolloutRecord, victims: readonly Instance[], { now, graceMs, times }: World): Turn {
  const terminated = { ...rollout.terminated };
  const stops: Stop[] = [];
  let wakeAt = NEVER;
  for (const { name, startedAt } of victims) {
    const last = terminated[name];
    if (last === undefined || last.startedAt !== startedAt) {
      if (now < startedAt + graceMs) {
        wakeAt = Math.min(wakeAt, startedAt + graceMs);
        continue;
      }
      terminated[name] = { at: now, startedAt };
      stops.push({ name, how: "terminate" });
    } else if (now >= last.at + times.drainMs) {
      stops.push({ name, how: "remove" });
      wakeAt = Math.min(wakeAt, now + times.holdMs);
      continue;
    }
    wakeAt = Math.min(wakeAt, (terminated[name]?.at ?? now) + times.drainMs);
  }
  const isChanged = stops.some(({ how }) => how === "terminate");
  return wait(isChanged ? { ...rollout, terminated } : rollout, wakeAt, stops);
}

/** Replaces instances with the target version by the former one, the newest first. */
function goBack(rollout: RolloutRecord, backTo: number, world: World): Turn {
  const { now, instances } = world;
  const updated = instances.filter((one) => isUpdated(rollout, one)).toSorted((a, b) => b.startedAt - a.startedAt);
  const surplus = updated.length - goalOf(rollout, rollout.percentage, instances.length);
  if (surplus > 0) return stop(rollout, updated.slice(0, surplus), world);
  const { back_to: _, ...rest } = rollout;
  const steps = rollout.steps.map((step) =>
    step.status === "reverting" ? { ...step, status: "reverted" as const } : step,
  );
  const ended = backTo === 0 ? ({ status: "reverted" } as const) : {};
  const end = { steps, current_step: backTo, since: now, terminated: {}, prepared: true, last_updated_at: time(now) };
  return go({ ...rest, ...end, ...ended });
}

const complete = (rollout: RolloutRecord, now: number): RolloutRecord => ({
  ...rollout,
  ...{ status: "completed", last_updated_at: time(now) },
});
