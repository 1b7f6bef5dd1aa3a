import { jobRoutes } from "#workers/contracts/api/jobs.ts";
import { IDS, job, onePage, queuedJob } from "./examples.ts";
import { section } from "./section.ts";

export const jobSection = section(
  jobRoutes,
  "Jobs",
  "A job is an operation that the automation service runs after the response, such as `provision`. Its status goes from `queued` over `running` to `succeeded`, `failed` or `cancelled`. Jobs are deleted after 90 days.",
  {
    listJobs: {
      description: "Returns jobs of the clients that the caller has access to, newest first. Filters can be combined.",
      query: { client_id: IDS.client, status: "succeeded" },
      answer: onePage(job),
    },
    getJob: {
      description:
        "Returns a job with its latest 200 events, oldest first. Poll it every few seconds until `ended_at` is set. Events of the kind `step` report each resource that the deployment creates, updates or deletes.",
      params: { id: IDS.provisionJob },
      answer: {
        ...job,
        events: [
          {
            id: 4711,
            at: "2026-11-02T09:01:10.000Z",
            kind: "step",
            message: "created NamespacedScript tenant-acme",
            step: {
              phase: "done",
              operation: "create",
              type: "tenantry:index:NamespacedScript",
              resource: "tenant-acme",
              milliseconds: 2140,
            },
          },
        ],
      },
    },
    cancelJob: {
      description:
        "Cancels a job that has not started. A running job cannot be cancelled, and jobs whose request took effect at once, such as `freeze`, are undone by the opposite operation.",
      params: { id: IDS.openJob },
      answer: {
        ...queuedJob("change_plan"),
        status: "cancelled",
        cause: "Cancelled by rita@agents.example.com.",
        ended_at: "2026-11-02T15:00:05.000Z",
      },
      errors: {
        conflict: "The job is no longer queued, belongs to a rollout, or is of a kind that cannot be cancelled.",
        forbidden: "The job is of a kind that only a platform root can cancel.",
      },
    },
    retryJob: {
      description:
        "Requests the operation of a failed or cancelled job again, with the same values, and returns the new job. The old job then has the new one in `followed_by`.",
      params: { id: IDS.provisionJob },
      answer: queuedJob("provision"),
      errors: {
        conflict:
          "The job has not failed, a later job replaces it, its change is already in effect, or its instance was deleted.",
        forbidden: "The job is of a kind that only a platform root can request.",
      },
    },
  },
);
