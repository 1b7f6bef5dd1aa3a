/** What the doctor of an instance finds, and why a run of the gateway's own doctor failed. No entry has an HTTP response. */
import { defineErrors } from "../catalogue.ts";

/** Findings of the platform. Their names are the ids of findings in the API. */
export const doctorFindings = defineErrors({
  agent_not_responding: {
    message: "The agent does not respond: {fault}",
    remedy: "Restart it. If that does not help, restore a backup.",
  },
  agent_unreachable: {
    message: "The platform cannot reach the agent: {fault}",
    remedy: "Try again in a few minutes. If that does not help, ask your operator.",
  },
  agent_job_failed: {
    message: "The agent is in error: {fault}",
    remedy: "Ask your operator.",
  },
  agent_version_differs: {
    message: "The agent does not run the version that it should.",
    remedy: "Wait for its next start, or restart it. If that does not help, ask your operator.",
  },
  backup_missing: { message: "The agent has no backup.", remedy: "Back it up." },
  backup_old: {
    message: "The newest backup is of {time}, and the agent has been in use since.",
    remedy: "Back it up.",
  },
  backup_hindered: { message: "Backups or restores do not work: {fault}", remedy: "{remedy}" },
  upgrade_failed: {
    message: "The upgrade of the state from version {from} to {to} failed: {fault}",
    remedy: "{remedy}",
  },
  resource_scarce: { message: "The agent is short of memory or disk: {fault}", remedy: "A larger plan has more." },
  channel_faulty: {
    message: "The channel {kind} does not work: {fault}",
    remedy: "Replace its token, or connect it again.",
  },
  connection_failed: { message: "The connection to {messenger} failed: {fault}", remedy: "{remedy}" },
  provider_key_faulty: {
    message: "The provider {provider} does not accept your key: {fault}",
    remedy: "Replace the key, or delete it.",
  },
  network_needs_restart: {
    message: "The agent still has the network access of an earlier policy.",
    remedy: "Restart it.",
  },
  network_gaps: {
    message: "The network policy does not hold for these connections: {gaps}.",
    remedy: "Restart the agent. If that does not help, ask your operator.",
  },
  credit_low: {
    message: "Less prepaid credit is left than the warning threshold.",
    remedy: "Ask your operator to top it up.",
  },
  credit_exhausted: {
    message: "The prepaid credit is used up.",
    remedy: "Ask your operator to top it up before the agent is stopped.",
  },
  spending_near_cap: {
    message: "{spent} of the cap of {cap} was spent on models in the last 30 days. At the cap, calls are refused.",
    remedy: "Raise the cap, change the plan, or wait until older spending no longer counts.",
  },
  cap_reached: {
    message: "{spent} was spent on models in the last 30 days. The cap is {cap}, so calls are refused.",
    remedy: "Raise the cap, change the plan, or wait until older spending no longer counts.",
  },
  doctor_not_supported: {
    message: "The agent's doctor cannot run: the tenant's Worker is of an earlier version.",
    remedy: "Ask your operator to deploy the tenant.",
  },
});

/** Why a run of the gateway's doctor failed. */
export const doctorRunErrors = defineErrors({
  doctor_run_failed: { message: "The agent's doctor failed: {details}", remedy: "Read the log, and try again." },
  doctor_run_interrupted: {
    message: "The run was interrupted, because the agent's container or Worker restarted.",
    remedy: "Run the doctor again.",
  },
  doctor_run_no_doctor: {
    message: "The agent's image has no doctor.",
    remedy: "The platform's own checks are listed. Ask your operator for a newer image.",
  },
  doctor_run_not_backed_up: {
    message: "Nothing was repaired, because the state could not be backed up first: {details}",
    remedy: "Resolve the problem with backups, and try again.",
  },
  doctor_run_restarting: {
    message: "Nothing was repaired, because the agent was being restarted.",
    remedy: "Try again in a minute.",
  },
  doctor_run_too_slow: {
    message: "The agent's doctor took too long, and was ended.",
    remedy: "Try again when the agent has less work.",
  },
});
