/** Jobs past their deadline. A running automation service ends them within a minute. */
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
      why: `its deadline was ${deadline.toISOString()}`,
      remedy: "check that the automation service runs (GET /healthz); it ends late jobs within a minute",
    }));
  return [{ about, findings }];
}
