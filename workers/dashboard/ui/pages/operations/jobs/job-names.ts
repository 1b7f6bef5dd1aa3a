import type { JobKind } from "#domain/entities/job.ts";

export const jobNames: Readonly<Record<JobKind, string>> = {
  provision: "Provision",
  deprovision: "Deprovision",
  change_plan: "Change plan",
  freeze: "Freeze",
  resume: "Resume",
  assign_gateway: "Reassign AI gateway",
  rotate_token: "Rotate token",
  final_backup: "Take final backup",
  adopt_version: "Change version",
  restore_backup: "Restore backup",
  delete_client: "Delete client",
  invalidate: "Refresh routing cache",
  redeploy: "Redeploy",
  push_channels: "Send channels",
  push_provider_keys: "Send provider keys",
  push_egress: "Send egress policy",
};

/** Jobs that users cannot retry, with what retries them. */
export const retryHints: Partial<Record<JobKind, string>> = {
  final_backup:
    "The automation service requests it when credit runs out. If the instance runs again, create a backup on its page.",
  redeploy: "A secret rotation requests it. Run the rotation again.",
  delete_client: "The automation service retries it a day after it failed. To keep the client, restore it.",
};
