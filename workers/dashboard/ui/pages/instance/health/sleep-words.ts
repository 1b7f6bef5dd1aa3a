/** Why a tenant sleeps or does not, in words. */
import { type Plan, planLabel, planLimits } from "#domain/plans/plan.ts";
import type { InstanceHealth } from "#workers/contracts/api/tenants/instance-health.ts";
import type { AwakeReason } from "#workers/contracts/tenant/sandbox-status.ts";
import { formatDuration, formatInstant } from "#workers/dashboard/ui/kit/format.ts";

type Sandbox = NonNullable<InstanceHealth["sandbox"]>;

export interface SleepWords {
  /** What it does now. */
  state: string;
  why: string;
  /** What its plan has in store for it. */
  rule: string;
}

const KEPT: Readonly<Record<AwakeReason, string>> = {
  busy: "its gateway is at work",
  channels: "channels are connected, which would hear of nothing while it sleeps",
  job: "a scheduled job of its gateway is due soon",
  "no answer": "its gateway does not tell whether it is at work, and is asked again",
};

export function sleepWords(sandbox: Sandbox | null, plan: Plan): SleepWords {
  const rule = ruleOf(plan);
  if (sandbox === null || sandbox.state === "unknown") {
    return { state: "Not known", why: "Nobody could look at its container just now.", rule };
  }
  if (sandbox.state === "ending") {
    return { state: "Ending", why: "Cloudflare ends its container: its state is backed up, and it starts anew.", rule };
  }
  if (sandbox.state === "asleep") return { state: "Asleep", why: whyAsleep(sandbox), rule };
  return { state: "Awake", why: whyAwake(sandbox, plan), rule };
}

function whyAsleep({ sleep }: Sandbox): string {
  const first = "Nobody has used it for a while. Its state is kept, and the next request wakes it.";
  if (!sleep?.wakes_at || !sleep.next_job_at) return first;
  return `${first} By itself it wakes on ${formatInstant(sleep.wakes_at)}, for a job that is due on ${formatInstant(sleep.next_job_at)}.`;
}

function whyAwake({ sleep }: Sandbox, plan: Plan): string {
  if (sleep === null) return "It is in use, or has been idle for less time than its plan gives it.";
  const { after_seconds, remaining_seconds, kept_awake } = sleep;
  if (after_seconds === null) return `It never sleeps on plan ${planLabel(plan)}.`;
  if (kept_awake !== null) return `It is idle, but ${KEPT[kept_awake.reason]} (${kept_awake.details}).`;
  const longEnough = formatDuration(after_seconds);
  if (remaining_seconds === null || remaining_seconds === 0) {
    return `It has been idle for ${longEnough}, and sleeps at the next check.`;
  }
  return `It was used less than ${longEnough} ago. Without another request it may sleep in ${formatDuration(remaining_seconds)}.`;
}

function ruleOf(plan: Plan): string {
  const { sleepAfterSeconds, sleepsWithChannels } = planLimits(plan);
  if (sleepAfterSeconds === undefined) return `Plan ${planLabel(plan)}: it never sleeps.`;
  const channels = sleepsWithChannels
    ? "also while channels are connected"
    : "but not while it is at work or channels are connected";
  return `Plan ${planLabel(plan)}: it sleeps after ${formatDuration(sleepAfterSeconds)} without a request, ${channels}.`;
}
