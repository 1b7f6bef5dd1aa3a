/** Channels, provider keys, and egress policies with their secrets that a tenant did not receive. */
import type { FailedPush } from "#database/work/failed-pushes.ts";
import type { Conclusion, Evidence } from "../evidence.ts";

const WHAT: Readonly<Record<FailedPush["job"], string>> = {
  push_channels: "channel",
  push_egress: "egress policy",
  push_provider_keys: "provider key",
};

export function failedPushes({ rows }: Evidence): Conclusion[] {
  const about = "failed_push";
  if ("fault" in rows) return [{ about, fault: `pushes: ${rows.fault}` }];
  const findings = rows.found.pushes.map(({ job, id, name, slug, error }) => ({
    what: WHAT[job],
    name: name === "" ? slug : `${name} of ${slug}`,
    identity: `${job}/${id}`,
    tenant: slug,
    why: `the tenant did not receive it: ${error}`,
    remedy:
      job === "push_channels"
        ? "correct the cause, then check the channel in the dashboard, which sends it again"
        : `correct the cause, then retry the job ${job} of ${slug} in the dashboard (Operations, Jobs)`,
  }));
  return [{ about, findings }];
}
