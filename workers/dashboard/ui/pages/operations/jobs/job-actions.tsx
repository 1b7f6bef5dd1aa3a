import { RotateCw } from "lucide-react";
import { type Job, jobRequesters, jobRoutes, jobUndoings } from "#workers/contracts/api/jobs.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { useViewer } from "#workers/dashboard/ui/api/session.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { toast } from "#workers/dashboard/ui/kit/toast/toast.ts";
import { jobNames } from "./job-names.ts";

export interface JobActionsProps {
  job: Job;
  /** For a row of a table, which has no room for why something was refused: a toast tells it. */
  small?: boolean;
  onFault?: (error: Error | null) => void;
  /** What follows when it was asked for anew. Default: the list shows it. */
  onRetried?: (job: Job) => void;
}

/** What of a job's operations the viewer may do now; what is not to be done is not there. */
export function JobActions({ job, small = false, onFault, onRetried }: JobActionsProps) {
  const { user } = useViewer();
  const { id, kind, status, slug, followed_by } = job;
  const tell = (title: string) => (error: Error) =>
    onFault === undefined ? toast({ kind: "failed", title, about: error.message }) : onFault(error);
  const retry = useChange(jobRoutes.retryJob, {
    also: ["instances", "clients"],
    onDone: (made) => {
      onFault?.(null);
      toast({ title: "Asked for again", about: `${jobNames[kind]}: ${slug}.` });
      onRetried?.(made);
    },
    onFailed: tell("Not asked for again"),
  });
  const mayAsk = jobRequesters[kind].includes(user.role);
  const cancel = useChange(jobRoutes.cancelJob, {
    also: ["instances", "clients"],
    onDone: () => {
      onFault?.(null);
      toast({
        title: "Cancelled",
        about: `${jobNames[kind]}: ${slug}. Nothing of it had begun.`,
        ...(mayAsk && { action: { name: "Ask for it again", run: () => again() } }),
      });
    },
    onFailed: tell("Not cancelled"),
  });
  const again = () => retry.mutate({ params: { id } });

  if (status === "queued" && mayAsk && job.rollout_id === null && jobUndoings[kind] === undefined) {
    return (
      <span className="relative z-10">
        <Button
          small={small}
          busy={cancel.isPending}
          aria-label={`Cancel: ${jobNames[kind]}, ${slug}`}
          onClick={() => cancel.mutate({ params: { id } })}
        >
          Cancel
        </Button>
      </span>
    );
  }
  if ((status === "failed" || status === "cancelled") && mayAsk && followed_by === null && job.instance_id !== null) {
    return (
      <span className="relative z-10">
        <Button
          small={small}
          look={small ? "plain" : "primary"}
          busy={retry.isPending}
          aria-label={`Retry: ${jobNames[kind]}, ${slug}`}
          onClick={again}
        >
          <RotateCw aria-hidden="true" /> Retry
        </Button>
      </span>
    );
  }
  return null;
}
