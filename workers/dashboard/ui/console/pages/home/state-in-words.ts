/** The state of an instance for its users. */
import type { Instance } from "#workers/contracts/api/instances/instances.ts";
import type { Tone } from "#workers/dashboard/ui/kit/badge.tsx";
import { DAY_MS, laneOf, timeSpans } from "#workers/dashboard/ui/pages/instance/health/lanes.ts";
import { sleepStatus } from "#workers/dashboard/ui/pages/instance/health/sleep-status.ts";
import type { Health } from "#workers/dashboard/ui/pages/instance/health/use-health.ts";

interface StateInWords {
  state: string;
  tone: Tone;
  why: string;
}

type Fixed = Exclude<Instance["status"], "running">;

const FIXED: Readonly<Record<Fixed, StateInWords>> = {
  provisioning: { state: "Being set up", tone: "busy", why: "This usually takes a few minutes." },
  frozen: { state: "Frozen", tone: "info", why: "It accepts no traffic. Its state is kept." },
  stopped: { state: "Stopped", tone: "quiet", why: "It accepts no traffic." },
  error: { state: "Not working", tone: "bad", why: "Your operator has been notified." },
};

export function stateInWords(instance: Instance, { results, read }: Health): StateInWords {
  const { status, state_cause, billing_plan } = instance;
  if (status !== "running") return { ...FIXED[status], ...(state_cause !== null && { why: state_cause }) };
  const { data } = read;
  if (data === undefined && results === undefined) {
    return read.error === null
      ? { state: "Checking", tone: "quiet", why: "The agent is being asked for its state." }
      : { state: "Unknown", tone: "quiet", why: read.error.message };
  }
  const sandbox = data?.sandbox ?? null;
  const sleep = sleepStatus(sandbox, billing_plan);
  if (sandbox?.state === "asleep") return { state: "Asleep", tone: "info", why: sleep.why };
  if (results?.flags.readiness) return { state: "Ready", tone: "good", why: sleep.why };
  if (results?.flags.liveness) {
    return {
      state: "Starting",
      tone: "busy",
      why: "The agent starts, usually within a minute. Messages wait until then.",
    };
  }
  const why = data?.gateway.reason ?? "The agent does not respond. Open it to start it, or restart it.";
  return { state: "Not responding", tone: "bad", why };
}

/** Returns since when the agent has been ready, not ready or asleep; undefined if that is unknown. In milliseconds. */
export function stateSince({ read }: Health, now: number): number | undefined {
  const { data } = read;
  if (data === undefined || data.status !== "running") return undefined;
  const from = laneOf(timeSpans(data.history, now), "readiness").at(-1)?.from;
  return from === undefined || from <= now - DAY_MS ? undefined : from;
}
