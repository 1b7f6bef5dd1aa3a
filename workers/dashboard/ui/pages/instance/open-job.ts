/** The job that changes an instance, and what it prevents. */
import type { JobKind } from "#domain/entities/job.ts";
import type { Instance } from "#workers/contracts/api/instances/instances.ts";
import { useViewer } from "../../api/session.ts";

type OpenJob = NonNullable<Instance["job"]>;

/** Jobs that only send a setting. */
const SENDING: ReadonlySet<JobKind> = new Set(["push_channels", "push_provider_keys", "push_egress", "invalidate"]);
export const onlySends = ({ kind }: Pick<OpenJob, "kind">): boolean => SENDING.has(kind);

/** Whether a job waits for a later time. */
export const isPlanned = ({ status, not_before }: OpenJob): boolean =>
  status === "queued" && not_before !== null && Date.parse(not_before) > Date.now();

/** Whether a job stops or replaces the instance now or soon, so that a restore, backup, restart or sleep must wait. */
const isChanging = ({ job }: Pick<Instance, "job">): boolean => job !== null && !isPlanned(job) && !onlySends(job);

/** Whether the viewer must wait for the open job. Operators need not, in case it never starts. */
export function useMustWait(instance: Pick<Instance, "job">): boolean {
  return useViewer().user.role === "ADMIN" && isChanging(instance);
}
