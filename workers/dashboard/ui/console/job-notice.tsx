import { useEffect, useRef } from "react";
import type { JobKind } from "#domain/entities/job.ts";
import type { Instance } from "#workers/contracts/api/tenants/instances.ts";
import { Progress } from "../kit/chart/meter.tsx";
import { Notice } from "../kit/notice.tsx";
import { Ago } from "../kit/time.tsx";
import { showToast } from "../kit/toast/toast.ts";
import { jobNames } from "../pages/operations/jobs/job-names.ts";

/** What changes the instance now. */
export function JobNotice({ job }: { job: Instance["job"] }) {
  if (job === null) return null;
  const { kind, status, progress, requested_by, created_at } = job;
  return (
    <Notice tone="info" title={`${jobNames[kind]}: ${status === "queued" ? "waiting to start" : "in progress"}`}>
      <p>
        Requested by {requested_by === "service" ? "the platform" : requested_by} <Ago at={created_at} long />. This
        page updates itself.
      </p>
      <div className="max-w-md">
        <Progress label="Progress" value={progress > 0 ? progress : null} />
      </div>
    </Notice>
  );
}

/** Jobs that send a setting, whose own card shows the outcome. */
const SENDING: ReadonlySet<JobKind> = new Set(["push_channels", "push_provider_keys", "push_egress", "invalidate"]);

/** Reports the end of the jobs that changed the instance while the page was open. */
export function useJobEnd(instance: Instance | undefined): void {
  const seen = useRef(new Set<JobKind>());
  useEffect(() => {
    if (instance === undefined) return;
    const { job, status, state_cause } = instance;
    if (job !== null) {
      if (!SENDING.has(job.kind)) seen.current.add(job.kind);
      return;
    }
    const names = [...seen.current].map((kind) => jobNames[kind]);
    seen.current.clear();
    if (names.length === 0) return;
    const title = `${names.join(", ")}: ended`;
    if (status === "error") showToast({ kind: "failed", title, about: state_cause ?? "The instance has an error." });
    else showToast({ title, about: `The instance is ${status}.` });
  }, [instance]);
}
