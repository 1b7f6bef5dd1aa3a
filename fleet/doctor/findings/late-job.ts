/** Operations that should have ended: the automation service ends them within a minute, where one runs. */
import type { Conclusion, Evidence } from "../evidence.ts";

export function lateJobs({ rows }: Evidence): Conclusion[] {
  const about = "late_job";
  if ("fault" in rows) return [{ about, fault: `jobs: ${rows.fault}` }];
  const findings = rows.found.jobs
    .filter(({ late }) => late)
    .map(({ id, kind, slug, deadline }) => ({
      what: "job",
      name: `${kind} of ${slug}`,
      identity: id,
      tenant: slug,
      createdAt: null,
      why: `it should have ended at ${deadline.toISOString()}`,
      remedy: "see that the automation service runs (GET /healthz): it ends what is late within a minute",
    }));
  return [{ about, findings }];
}
