/** Kinds of jobs in words, as an order: "Provision". */
import type { JobKind } from "#domain/entities/job.ts";

export const jobNames: Readonly<Record<JobKind, string>> = {
  provision: "Provision",
  deprovision: "Remove the instance",
  change_plan: "Change the plan",
  freeze: "Freeze",
  resume: "Resume",
  assign_gateway: "Move to another AI gateway",
  rotate_token: "Rotate the token",
  final_backup: "Back up for the last time",
  adopt_version: "Change the version",
  restore_backup: "Restore a backup",
  delete_client: "Delete the client",
  invalidate: "Refresh the routing cache",
  redeploy: "Deploy again",
};

/** Jobs that people cannot ask for again, with who does. */
export const unaskedJobs: Partial<Record<JobKind, string>> = {
  final_backup:
    "The automation service asks for it by the client's credit. Back the instance up from its page, if it runs again.",
  redeploy: "The rotation of a secret asks for it. Run the rotation again.",
  delete_client: "It is asked for again by itself a day after it failed. To keep the client, restore it.",
};
