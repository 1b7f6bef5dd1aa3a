import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { JobKind } from "#domain/entities/job.ts";
import type { Instance } from "#workers/contracts/api/instances/instances.ts";
import { jobRoutes } from "#workers/contracts/api/jobs.ts";
import { apiQuery } from "../api/queries.ts";
import { useViewer } from "../api/session.ts";
import { Progress } from "../kit/chart/meter.tsx";
import { Notice } from "../kit/notice.tsx";
import { personInWords } from "../kit/person.ts";
import { Ago } from "../kit/time.tsx";
import { showToast } from "../kit/toast/toast.ts";
import { BACKUPS_TAG } from "../pages/instance/backups/backups.ts";
import { isPlanned, onlySends, useMustWait } from "../pages/instance/open-job.ts";
import { jobNames } from "../pages/operations/jobs/job-names.ts";

const NAMES: Readonly<Record<JobKind, string>> = {
  ...jobNames,
  provision: "Set up the agent",
  deprovision: "Remove the agent",
  assign_gateway: "Change the connection to models",
  rotate_token: "Renew the agent's key",
  redeploy: "Renew the platform's part of the agent",
};

/** How long jobs usually take, beside those that only send a setting. */
const DURATIONS: Readonly<Partial<Record<JobKind, string>>> = {
  provision: "It usually takes a few minutes.",
  change_plan: "It usually takes a few minutes. The agent restarts.",
  adopt_version: "It usually takes a few minutes. The agent restarts.",
  restore_backup: "It usually takes a few minutes. The agent is stopped meanwhile.",
};

/** What changes the instance now. */
export function JobNotice({ job }: { job: Instance["job"] }) {
  const { user } = useViewer();
  const mustWait = useMustWait({ job });
  if (job === null || isPlanned(job) || onlySends(job)) return null;
  const { kind, status, progress, requested_by, created_at } = job;
  return (
    <Notice tone="info" title={`${NAMES[kind]}: ${status === "queued" ? "waiting to start" : "in progress"}`}>
      <p>
        Requested by {personInWords(requested_by, user.email)} <Ago at={created_at} long />.{" "}
        {status === "queued" ? <Waiting job={job} /> : DURATIONS[kind]} This page updates itself.
      </p>
      {mustWait ? <p>Until it is done, you cannot restore, back up, restart or sleep.</p> : null}
      <div className="max-w-md">
        <Progress label="Progress" value={progress > 0 ? progress : null} />
      </div>
    </Notice>
  );
}

/** What a job waits for. */
function Waiting({ job: { id, kind } }: { job: NonNullable<Instance["job"]> }) {
  const isAdmin = useViewer().user.role === "ADMIN";
  const { data } = useQuery({ ...apiQuery(jobRoutes.getJob, { params: { id } }), enabled: isAdmin });
  const waitsFor = data?.events.findLast((event) => event.kind === "waiting")?.message;
  return waitsFor ?? `The platform starts it, usually within a minute. ${DURATIONS[kind] ?? ""}`;
}

/** Reports the outcome of the jobs that changed the instance while the page was open, to ADMINs. */
export function useJobEnd(instance: Instance | undefined): void {
  const { user } = useViewer();
  const queries = useQueryClient();
  const seen = useRef(new Map<string, JobKind>());
  useEffect(() => {
    if (instance === undefined || user.role !== "ADMIN") return;
    const { job } = instance;
    if (job !== null) {
      // The card of a setting that is sent shows the outcome.
      if (!onlySends(job)) seen.current.set(job.id, job.kind);
      return;
    }
    for (const [id, kind] of seen.current) void reportEnd(queries, id, NAMES[kind]);
    seen.current.clear();
  }, [instance, queries, user.role]);
}

/** Tags of what a job changes beside the instance. */
const CHANGED = [jobRoutes.listJobs.tag, BACKUPS_TAG];

async function reportEnd(queries: QueryClient, id: string, name: string): Promise<void> {
  const query = { ...apiQuery(jobRoutes.getJob, { params: { id } }), staleTime: 0 };
  // The card of the state shows the outcome too.
  const job = await queries.fetchQuery(query).catch(() => undefined);
  if (job === undefined) return;
  const { status, cause } = job;
  await Promise.all(CHANGED.map((tag) => queries.invalidateQueries({ queryKey: [tag] })));
  if (status === "succeeded") showToast({ title: `${name}: done` });
  else showToast({ kind: "failed", title: `${name}: ${status}`, about: cause ?? "Ask your operator for the reason." });
}
