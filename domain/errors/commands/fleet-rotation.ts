/** Rotations of a platform's secrets. */
import { defineErrors } from "../catalogue.ts";

export const fleetRotationErrors = defineErrors({
  rotation_secret_unknown: { message: "There is no secret {secret}.", remedy: "Choose one of {secrets}." },
  rotation_provider_mismatch: {
    message: "--provider NAME, such as openai, is required for provider-key and allowed for no other secret.",
    remedy: "Add the option for provider-key, and omit it for {secret}.",
  },
  rotation_input_empty: {
    message: "Standard input is empty.",
    remedy: "Pass the new secret: npm run fleet -- rotate {secret} < FILE",
  },
  passphrase_input_empty: {
    message: "Standard input is empty.",
    remedy: "Pass the new passphrase: npm run fleet -- rotate passphrase < FILE",
  },
  passphrase_unchanged: { message: "The new passphrase equals {variable}.", remedy: "Choose another." },
  passphrase_not_set: { message: "{variable} is not set.", remedy: "Set it to the current passphrase." },
  passphrase_of_no_stack: {
    message: "No stack {stack} is encrypted with a passphrase.",
    remedy: "Set --stack to the platform's stack.",
  },
  platform_not_declared: {
    message: "{file} declares no platform.",
    remedy: "Set --stack to the platform's stack.",
  },
  platform_file_invalid: {
    message: "{file} has invalid settings.",
    remedy: "Correct them in the file:\n{faults}",
  },
  rotation_not_waiting: {
    message: "No rotation of {secret} waits for --finish.",
    remedy: "Run the command without --finish.",
  },
  service_command_failed: {
    message: "The command of --service failed ({how}): {command}",
    remedy: "Correct it, and run the rotation again to continue.",
  },
  service_restart_failed: {
    message: "The local edge failed to restart the automation service ({status}).",
    remedy: "Read the output of npm start, and run the rotation again to continue.",
  },
  rotation_stacks_failed: {
    message: "Failed to deploy stacks of tenants.",
    remedy: "Correct these faults, and run the rotation again to continue:\n{faults}",
  },
  rotation_jobs_failed: {
    message: "Failed to deploy tenants of the dashboard.",
    remedy: "Correct these faults, and run the rotation again to continue:\n{faults}",
  },
});
