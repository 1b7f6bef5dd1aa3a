/** Operations on an instance that the automation service carries out. */

/** Kinds, as the check of `tenantry.jobs` has them. */
export const jobKinds = [
  "provision",
  "deprovision",
  "change_plan",
  "freeze",
  "resume",
  "assign_gateway",
  "rotate_token",
  "final_backup",
  "adopt_version",
  "restore_backup",
  "delete_client",
  "invalidate",
  "redeploy",
] as const;
export type JobKind = (typeof jobKinds)[number];

export const jobStates = ["queued", "running", "succeeded", "failed", "cancelled"] as const;
export type JobState = (typeof jobStates)[number];
