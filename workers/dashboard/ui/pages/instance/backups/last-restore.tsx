import { useQuery } from "@tanstack/react-query";
import type { JobState } from "#domain/entities/job.ts";
import type { Instance } from "#workers/contracts/api/instances/instances.ts";
import { type Job, jobRoutes } from "#workers/contracts/api/jobs.ts";
import { apiQuery } from "#workers/dashboard/ui/api/queries.ts";
import { useViewer } from "#workers/dashboard/ui/api/session.ts";
import { Notice } from "#workers/dashboard/ui/kit/notice.tsx";
import { personInWords } from "#workers/dashboard/ui/kit/person.ts";
import { Ago, useNow } from "#workers/dashboard/ui/kit/time.tsx";
import type { Backup } from "./backups.ts";
import { momentOf } from "./days.ts";

/** Cancelled restores before the last one that ended are rare. */
const LIMIT = 5;
const DAY_MS = 86_400_000;
/** How long an outcome is shown. */
const SHOWN_DAYS: Readonly<Partial<Record<JobState, number>>> = { succeeded: 30, failed: 7 };

interface LastRestoreProps {
  instance: Pick<Instance, "id">;
  backups: readonly Backup[];
}

/** The outcome of the last restore that somebody requested. */
export function LastRestore({ instance: { id }, backups }: LastRestoreProps) {
  const { user } = useViewer();
  const query = { instance_id: id, kind: "restore_backup", limit: LIMIT } as const;
  const jobs = useQuery(apiQuery(jobRoutes.listJobs, { query }));
  const now = useNow();
  const job = jobs.data?.data.find(({ status }) => SHOWN_DAYS[status] !== undefined);
  if (job === undefined || now - Date.parse(job.ended_at ?? "") > (SHOWN_DAYS[job.status] ?? 0) * DAY_MS) return null;
  const backup = backups.find((one) => one.id === job.backup_id);
  const which = backup === undefined ? "a backup that was removed since then" : `the backup of ${momentOf(backup)}`;
  const by = personInWords(job.requested_by, user.email);
  const when = <Ago at={job.ended_at} long />;
  if (job.status === "failed")
    return (
      <Notice tone="bad" title="The last restore failed">
        <p>
          Requested by {by}, from {which}. It ended {when}. {job.cause}
        </p>
      </Notice>
    );
  const before = backupBefore(job, backups);
  return (
    <Notice tone="info">
      <p>
        Restored from {which} by {by}, {when}.
        {before === undefined ? null : ` To undo this, restore the backup of ${momentOf(before)} (before a restore).`}
      </p>
    </Notice>
  );
}

/** The backup of the state that a restore replaced. */
const backupBefore = ({ started_at, ended_at }: Job, backups: readonly Backup[]): Backup | undefined =>
  backups.find(
    ({ reason, created_at }) =>
      reason === "before_restore" &&
      started_at !== null &&
      ended_at !== null &&
      Date.parse(started_at) <= Date.parse(created_at) &&
      Date.parse(created_at) <= Date.parse(ended_at),
  );
