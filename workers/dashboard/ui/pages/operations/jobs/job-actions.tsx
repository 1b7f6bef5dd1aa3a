import { RotateCw } from "lucide-react";
import { type Job, jobRequesters, jobRoutes, jobUndoings } from "#workers/contracts/api/jobs.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { useViewer } from "#workers/dashboard/ui/api/session.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { showToast } from "#workers/dashboard/ui/kit/toast/toast.ts";
import { jobNames } from "./job-names.ts";

interface JobActionsProps {
  job: Job;
  small?: boolean;
  /** Shows why an action failed. Default: a toast. */
  onFault?: (error: Error | null) => void;
  onRetried?: (job: Job) => void;
}

export function JobActions({ job, small = false, onFault, onRetried }: JobActionsProps) {
  const { user } = useViewer();
  const { id, kind, status, slug, followed_by } = job;
  const report = (title: string) => (error: Error) =>
    onFault === undefined ? showToast({ kind: "failed", title, about: error.message }) : onFault(error);
  const retry = useChange(jobRoutes.retryJob, {
    also: ["instances", "clients"],
    success: () => ({ title: "Job requested again", about: `${jobNames[kind]}: ${slug}` }),
    onDone: (created) => {
      onFault?.(null);
      onRetried?.(created);
    },
    onFailed: report("Failed to retry the job"),
  });
  const mayRequest = jobRequesters[kind].includes(user.role);
  const cancel = useChange(jobRoutes.cancelJob, {
    also: ["instances", "clients"],
    success: () => ({
      title: "Job cancelled",
      about: `${jobNames[kind]}: ${slug}. It had not started.`,
      ...(mayRequest && { action: { name: "Request job again", run: () => again() } }),
    }),
    onDone: () => onFault?.(null),
    onFailed: report("Failed to cancel the job"),
  });
  const again = () => retry.mutate({ params: { id } });

  const target = `${jobNames[kind]}, ${slug}`;
  const canCancel = status === "queued" && job.rollout_id === null && jobUndoings[kind] === undefined;
  const canRetry = (status === "failed" || status === "cancelled") && followed_by === null && job.instance_id !== null;
  if (!mayRequest || !(canCancel || canRetry)) return null;
  return (
    <span className="relative z-10">
      {canCancel ? (
        <Button
          small={small}
          busy={cancel.isPending}
          aria-label={`Cancel: ${target}`}
          onClick={() => cancel.mutate({ params: { id } })}
        >
          Cancel
        </Button>
      ) : (
        <Button
          small={small}
          variant={small ? "plain" : "primary"}
          busy={retry.isPending}
          aria-label={`Retry: ${target}`}
          onClick={again}
        >
          <RotateCw aria-hidden="true" /> Retry
        </Button>
      )}
    </span>
  );
}
