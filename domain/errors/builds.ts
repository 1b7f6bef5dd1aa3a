/** Errors of builds of Workers and pages, and of stored builds. */
import { defineErrors } from "./catalogue.ts";

export const buildErrors = defineErrors({
  pages_build_failed: {
    message: "Failed to build the dashboard's pages: {cause}.",
    remedy: "Correct the source that the message names.",
  },
  stored_bundle_changed: {
    message: "The modules in {directory} do not match the hash {hash}.",
    remedy: "Remove the directory.",
  },
  stored_bundle_missing: {
    message: "{directory} has no {record}, so it is not a stored bundle of a Worker.",
    remedy: "Choose the directory of a stored bundle.",
  },
  worker_build_failed: {
    message: "Failed to build the {name} Worker: {cause}.",
    remedy: "Correct the source that the message names.",
  },
  worker_configuration_invalid: {
    message: "{path} is invalid: {cause}.",
    remedy: "Write it as JSON with comments and a compatibility_date.",
  },
});
