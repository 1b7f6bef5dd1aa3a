/** Errors of jobs. */
import { defineErrors } from "../catalogue.ts";

export const jobErrors = defineErrors({
  deletion_job_not_cancellable: {
    code: "conflict",
    message: "The deletion of a client cannot be cancelled by its job.",
    remedy: "Restore the client instead.",
  },
  freeze_job_not_cancellable: {
    code: "conflict",
    message: "The job cannot be cancelled, because the tenant is already frozen.",
    remedy: "Resume it instead.",
  },
  job_already_done: {
    code: "conflict",
    message: "The change of the job is already in effect.",
    remedy: "Keep it as it is; a retry is not needed.",
  },
  job_cancel_requires_root: {
    code: "forbidden",
    message: "Permission denied: cancelling a job of this kind requires the role ROOT.",
    remedy: "Ask a platform root.",
  },
  job_of_operator: {
    code: "forbidden",
    message: "Your operator requested this job.",
    remedy: "Ask your operator to cancel it.",
  },
  job_followed_by_another: {
    code: "conflict",
    message: "A later job of this kind exists.",
    remedy: "See that job.",
  },
  job_instance_deleted: {
    code: "conflict",
    message: "The instance of the job was deleted.",
    remedy: "Create the instance again.",
  },
  job_not_found: {
    code: "not_found",
    message: "Job not found.",
    remedy: "Check its ID, and that your role has access to it.",
  },
  job_not_queued: {
    code: "conflict",
    message: "The job is no longer queued, and a running job cannot be cancelled.",
    remedy: "Wait until it ends.",
  },
  job_not_retryable: {
    code: "conflict",
    message: "The job is {status}, and only a failed or cancelled job can be retried.",
    remedy: "Wait until it ends.",
  },
  job_of_rollout: {
    code: "conflict",
    message: "The job belongs to a rollout.",
    remedy: "Pause or stop the rollout instead.",
  },
  job_of_service_not_cancellable: {
    code: "conflict",
    message: "The automation service requested this job, and users cannot cancel it.",
    remedy: "Wait until it ends.",
  },
  job_of_service_not_retryable: {
    code: "conflict",
    message: "Only the automation service requests jobs of this kind.",
    remedy: "Wait until it requests the next one.",
  },
  job_replaced: {
    code: "conflict",
    message: "A later operation on the instance of {slug} replaces this job.",
    remedy: "Keep it as it is; a retry is not needed.",
  },
  job_retry_requires_root: {
    code: "forbidden",
    message: "Permission denied: retrying a job of this kind requires the role ROOT.",
    remedy: "Ask a platform root.",
  },
  push_job_not_cancellable: {
    code: "conflict",
    message: "The job cannot be cancelled, because it sends a change that is already stored.",
    remedy: "Undo the change instead.",
  },
  removal_job_not_cancellable: {
    code: "conflict",
    message: "The job cannot be cancelled, because a removal cannot stop halfway.",
    remedy: "Wait until it ends, then create the instance again.",
  },
  resume_job_not_cancellable: {
    code: "conflict",
    message: "The job cannot be cancelled, because the tenant already takes traffic.",
    remedy: "Freeze it instead.",
  },
});
