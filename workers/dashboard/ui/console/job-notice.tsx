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

/** Reports the end of a job on every page. */
export function useJobEnd(instance: Instance | undefined): void {
  const last = useRef<JobKind>(undefined);
  useEffect(() => {
    if (instance === undefined) return;
    const { job, status, state_cause } = instance;
    const ended = last.current;
    last.current = job?.kind;
    if (ended === undefined || job !== null) return;
    const title = `${jobNames[ended]}: ended`;
    if (status === "error") showToast({ kind: "failed", title, about: state_cause ?? "The instance has an error." });
    else showToast({ title, about: `The instance is ${status}.` });
  }, [instance]);
}
