import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { JobKind } from "#domain/entities/job.ts";
import type { Instance } from "#workers/contracts/api/instances/instances.ts";
import { jobRoutes } from "#workers/contracts/api/jobs.ts";
import { apiQuery } from "../api/queries.ts";
import { useViewer } from "../api/session.ts";
import { Progress } from "../kit/chart/meter.tsx";
import { Notice } from "../kit/notice.tsx";
import { Ago } from "../kit/time.tsx";
import { showToast } from "../kit/toast/toast.ts";
import { jobNames } from "../pages/operations/jobs/job-names.ts";

/** Whether a job waits for a later time. */
export const isPlanned = ({ status, not_before }: NonNullable<Instance["job"]>): boolean =>
  status === "queued" && not_before !== null && Date.parse(not_before) > Date.now();

/** What changes the instance now. */
export function JobNotice({ job }: { job: Instance["job"] }) {
  if (job === null || isPlanned(job)) return null;
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

/** Reports the outcome of the jobs that changed the instance while the page was open, to ADMINs. */
export function useJobEnd(instance: Instance | undefined): void {
  const { user } = useViewer();
  const queries = useQueryClient();
  const seen = useRef(new Map<string, JobKind>());
  useEffect(() => {
    if (instance === undefined || user.role !== "ADMIN") return;
    const { job } = instance;
    if (job !== null) {
      if (!SENDING.has(job.kind)) seen.current.set(job.id, job.kind);
      return;
    }
    for (const [id, kind] of seen.current) void reportEnd(queries, id, jobNames[kind]);
    seen.current.clear();
  }, [instance, queries, user.role]);
}

async function reportEnd(queries: QueryClient, id: string, name: string): Promise<void> {
  const query = { ...apiQuery(jobRoutes.getJob, { params: { id } }), staleTime: 0 };
  // The card of the state shows the outcome too.
  const job = await queries.fetchQuery(query).catch(() => undefined);
  if (job === undefined) return;
  const { status, cause } = job;
  if (status === "succeeded") showToast({ title: `${name}: done` });
  else showToast({ kind: "failed", title: `${name}: ${status}`, about: cause ?? "Ask your operator for the reason." });
}
