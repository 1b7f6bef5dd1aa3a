import { type Plan, planLabel, planLimits } from "#domain/plans/plan.ts";
import type { InstanceHealth } from "#workers/contracts/api/instances/instance-health.ts";
import type { AwakeReason } from "#workers/contracts/tenant/sandbox-status.ts";
import { formatDuration, formatInstant } from "#workers/dashboard/ui/kit/format.ts";

type Sandbox = NonNullable<InstanceHealth["sandbox"]>;

interface SleepStatus {
  state: string;
  why: string;
  rule: string;
}

const AWAKE_REASONS: Readonly<Record<AwakeReason, string>> = {
  busy: "it is working",
  channels: "connected channels would receive nothing while it sleeps",
  job: "one of its scheduled jobs is due soon",
  messages: "messages wait to be delivered",
  "no answer": "it does not report whether it is working, and is asked again",
};

export function sleepStatus(sandbox: Sandbox | null, plan: Plan): SleepStatus {
  const rule = ruleOf(plan);
  if (sandbox === null || sandbox.state === "unknown") {
    return { state: "Unknown", why: "Whether it is awake is currently unknown.", rule };
  }
  if (sandbox.state === "ending") {
    return {
      state: "Restarting",
      why: "Cloudflare is moving it. Its data is backed up, then it restarts.",
      rule,
    };
  }
  if (sandbox.state === "asleep") return { state: "Asleep", why: whyAsleep(sandbox), rule };
  return { state: "Awake", why: whyAwake(sandbox, plan), rule };
}

function whyAsleep({ sleep }: Sandbox): string {
  const idle = "Idle. Its data is kept, and the next message or visit wakes it.";
  if (!sleep?.wakes_at || !sleep.next_job_at) return idle;
  return `${idle} It wakes on ${formatInstant(sleep.wakes_at)}, for a job due on ${formatInstant(sleep.next_job_at)}.`;
}

function whyAwake({ sleep }: Sandbox, plan: Plan): string {
  if (sleep === null) return "It is in use, or has been idle for less time than its plan allows.";
  const { after_seconds, remaining_seconds, kept_awake } = sleep;
  if (after_seconds === null) return `It never sleeps on plan ${planLabel(plan)}.`;
  if (kept_awake !== null)
    return `It stays awake although it is idle: ${AWAKE_REASONS[kept_awake.reason]} (${kept_awake.details}).`;
  const idleTime = formatDuration(after_seconds);
  if (remaining_seconds === null || remaining_seconds === 0) {
    return `It has been idle for ${idleTime}, and sleeps at the next check.`;
  }
  return `It was used less than ${idleTime} ago. Without further requests it sleeps in ${formatDuration(remaining_seconds)}.`;
}

function ruleOf(plan: Plan): string {
  const { sleepAfterSeconds, sleepsWithChannels } = planLimits(plan);
  if (sleepAfterSeconds === undefined) return `Plan ${planLabel(plan)}: never sleeps.`;
  const channels = sleepsWithChannels
    ? "even while channels are connected"
    : "unless it is working or channels are connected";
  return `Plan ${planLabel(plan)}: sleeps after ${formatDuration(sleepAfterSeconds)} without a request, ${channels}.`;
}
