/** `npm start` and the commands of the local edge. */
import { defineErrors } from "../catalogue.ts";

export const localStartErrors = defineErrors({
  start_line_invalid: { message: "{fault}.", remedy: "Correct the command line:\n\n{usage}" },
  start_port_invalid: {
    message: "--port takes a number from 1 to 65535, not {value}.",
    remedy: "Set another port.",
  },
  start_gateway_empty: {
    message: "--gateway takes a command and its arguments.",
    remedy: "Name the command, or omit the option.",
  },
  start_containers_unknown: {
    message: '--containers takes "docker" or "processes", not {value}.',
    remedy: "Set one of the two.",
  },
  start_gateway_of_image: {
    message: "--gateway has no effect on images.",
    remedy: "Build an image with that GATEWAY_COMMAND, and name it with --image.",
  },
  start_image_without_containers: {
    message: "--image requires --containers docker.",
    remedy: "Add that option, or omit --image.",
  },
  start_weather_invalid: {
    message: "--weather takes a seed, a whole number from 0, not {value}.",
    remedy: "Set a number. The same number injects the same faults.",
  },
  state_directory_foreign: {
    message: "{directory} is not the state directory of a local edge.",
    remedy: "Set --state to one, because --fresh removes nothing else.",
  },
  local_edge_not_running: {
    message: "No local edge runs on {directory}.",
    remedy: "Start one with npm start.",
  },
  local_deployment_died: {
    message: "The deployment process ended early: {how}.",
    remedy: "Run npm start again to continue.",
  },
  local_check_failed: {
    message: "THE CHECK FAILED. The edge continues with the previous deployment, without the automation service.",
    remedy: "The next start plans first. Cause:\n\n{cause}",
  },
  demo_data_not_added: {
    message: "WARNING: Failed to add demo data for {what}; the next start tries again. The platform works without it.",
    remedy: "Correct the cause if you need the data. Cause: {cause}",
  },
  demo_group_not_found: {
    message: "Failed to add members: the Access group {name} does not exist.",
    remedy: "Run npm start again, which deploys it.",
  },
  token_arguments_missing: {
    message: "The command needs an address and a host.",
    remedy: "Usage: npm run token -- --email a@b --host acme.tenantry.localhost",
  },
});
