/** Errors of images, Worker bundles, rollouts and incidents. */
import { defineErrors } from "../catalogue.ts";

export const versionErrors = defineErrors({
  image_not_found: { code: "not_found", message: "Image not found.", remedy: "Choose one of GET /images." },
  image_not_offered: {
    code: "conflict",
    message: "The image is not in the catalogue or is withdrawn.",
    remedy: "Choose one of GET /images.",
  },
  incident_not_found: {
    code: "not_found",
    message: "Incident not found.",
    remedy: "Check its ID, and that your role has access to it.",
  },
  rollout_already_rolled_back: {
    code: "conflict",
    message: "The rollout is already rolling back or rolled back.",
    remedy: "Wait until it ends.",
  },
  rollout_exceeds_account: {
    code: "no_account_capacity",
    message: "The platform's settings need more of each tenant than the account has room for: {kinds}.",
    remedy:
      "Revert the settings, remove tenants, or have the vendor raise the limit and set ACCOUNT_LIMITS of the automation service.",
  },
  rollout_image_too_old: {
    code: "conflict",
    message: "{count} tenants ({slugs}) have a state of a newer gateway than {version}, which cannot read it.",
    remedy:
      "Roll back the rollout of the newer version, change each tenant to the image with a matching backup, or pin the tenants so that the rollout skips them.",
  },
  rollout_in_progress: {
    code: "conflict",
    message: "Another rollout is in progress.",
    remedy: "Wait until it ends, or stop it.",
  },
  rollout_not_found: { code: "not_found", message: "Rollout not found.", remedy: "Choose one of GET /rollouts." },
  rollout_status_fixed: {
    code: "conflict",
    message: "The rollout is {status} and cannot change to {to}.",
    remedy: "Read the rollout again to see its status.",
  },
  rollout_without_tenants: {
    code: "conflict",
    message: "No tenant can get this version: all run it already or are skipped.",
    remedy: "Choose another version, or release the tenants that the details count.",
  },
  version_choice_requires_root: {
    code: "forbidden",
    message: "Permission denied: choosing a Worker, or the platform's image, requires the role ROOT.",
    remedy: "Send the image_id of an offered version (GET /client/instance/{id}/versions).",
  },
  version_not_offered: {
    code: "conflict",
    message: "This version is not offered to the tenant.",
    remedy: "Choose one of GET /client/instance/{id}/versions.",
  },
  withdrawn_version_cannot_be_default: {
    code: "conflict",
    message: "A withdrawn version cannot be the default.",
    remedy: "Choose another default first, or reinstate the version.",
  },
  worker_bundle_not_found: {
    code: "not_found",
    message: "Worker not found.",
    remedy: "Choose one of GET /worker-bundles.",
  },
  worker_bundle_not_offered: {
    code: "conflict",
    message: "The Worker is not in the catalogue or is withdrawn.",
    remedy: "Choose one of GET /worker-bundles.",
  },
});
