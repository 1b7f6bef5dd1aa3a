/** Every error of the catalogue, by area, for documents and tests. Programs import the files of their areas, which are smaller. */
import { aiGatewayErrors } from "./api/ai-gateways.ts";
import { billingErrors } from "./api/billing.ts";
import { channelErrors } from "./api/channels.ts";
import { clientErrors } from "./api/clients.ts";
import { consoleErrors } from "./api/console.ts";
import { doorErrors } from "./api/doors.ts";
import { instanceErrors } from "./api/instances.ts";
import { jobErrors } from "./api/jobs.ts";
import { partnerErrors } from "./api/partners.ts";
import { peopleErrors } from "./api/people.ts";
import { providerKeyErrors } from "./api/provider-keys.ts";
import { requestErrors } from "./api/requests.ts";
import { serviceErrors } from "./api/service.ts";
import { serviceTokenErrors } from "./api/service-tokens.ts";
import { versionErrors } from "./api/versions.ts";
import { buildErrors } from "./builds.ts";
import type { ErrorEntry, Named } from "./catalogue.ts";
import { fleetCallErrors } from "./commands/fleet-call.ts";
import { fleetDatabaseErrors } from "./commands/fleet-database.ts";
import { fleetFileErrors } from "./commands/fleet-files.ts";
import { fleetHandoverErrors } from "./commands/fleet-handover.ts";
import { fleetMoveErrors } from "./commands/fleet-move.ts";
import {
  preflightAccountErrors,
  preflightApiErrors,
  preflightErrors,
  preflightServiceErrors,
} from "./commands/fleet-preflight.ts";
import { fleetRotationErrors } from "./commands/fleet-rotation.ts";
import { fleetRunErrors } from "./commands/fleet-runs.ts";
import { fleetUsageErrors } from "./commands/fleet-usage.ts";
import { verifyErrors } from "./commands/fleet-verify.ts";
import { localStartErrors } from "./commands/local-start.ts";
import { duplicateErrors, referenceErrors, valueErrors } from "./database/constraints.ts";
import { databaseErrors } from "./database/faults.ts";
import { ruleErrors } from "./database/rules.ts";
import { schemaErrors } from "./database/schema.ts";
import { gatewayChoiceErrors } from "./gateway-choice.ts";
import { interfaceErrors } from "./interface.ts";
import { serviceErrors as automationErrors, incidentErrors, mailErrors, outsideErrors } from "./service/automation.ts";
import { jobErrors as failedJobErrors, overtakenJobs, waitingJobs } from "./service/automation-jobs.ts";
import { engineRunErrors } from "./service/engine-runs.ts";
import { notificationErrors } from "./service/notifications.ts";
import { planRuleErrors } from "./stack/plan-rules.ts";
import { policyErrors } from "./stack/policies.ts";
import { providerErrors } from "./stack/provider.ts";
import { stackOutputErrors } from "./stack/stack-outputs.ts";
import { planErrors, planRefusals } from "./stack/stack-plan.ts";
import { stackSettingErrors } from "./stack/stack-settings.ts";
import { backupErrors } from "./tenants/backups.ts";
import { deviceErrors } from "./tenants/devices.ts";
import { doctorFindings, doctorRunErrors } from "./tenants/doctor.ts";
import { doorRefusalErrors } from "./tenants/door-refusals.ts";
import { egressPolicyErrors, egressRefusalErrors } from "./tenants/egress.ts";
import { egressRequestErrors } from "./tenants/egress-requests.ts";
import { egressSecretErrors } from "./tenants/egress-secrets.ts";
import { fileErrors } from "./tenants/files.ts";
import { modelCallErrors } from "./tenants/model-calls.ts";
import { trafficErrors } from "./tenants/traffic.ts";
import { workerErrors } from "./tenants/worker.ts";

export interface ErrorArea {
  readonly title: string;
  readonly entries: readonly Named<ErrorEntry>[];
}

const area = (title: string, ...entries: readonly Readonly<Record<string, Named<ErrorEntry>>>[]): ErrorArea => ({
  title,
  entries: entries.flatMap((some) => Object.values(some)),
});

export const errorAreas: readonly ErrorArea[] = [
  area("Dashboard: requests", requestErrors),
  area("Dashboard: login, database and events", serviceErrors),
  area("Clients", clientErrors),
  area("Instances", instanceErrors),
  area("Doors", doorErrors),
  area("Channels", channelErrors),
  area("Provider keys", providerKeyErrors),
  area("Egress policies", egressPolicyErrors),
  area("Egress secrets", egressSecretErrors),
  area("AI gateways", aiGatewayErrors, gatewayChoiceErrors),
  area("Images, Workers, rollouts and incidents", versionErrors),
  area("Jobs", jobErrors),
  area("Partners", partnerErrors),
  area("Users and invitations", peopleErrors),
  area("Service tokens", serviceTokenErrors),
  area("Console", consoleErrors),
  area("Credit and invoices", billingErrors),
  area("Requests to tenants", trafficErrors),
  area("Last refusal of a door", doorRefusalErrors),
  area("Requests of agents that a policy refuses", egressRefusalErrors),
  area("Requests of agents that fail", egressRequestErrors),
  area("Tenant Worker", workerErrors),
  area("Devices paired in OpenClaw", deviceErrors),
  area("Doctor of an instance", doctorFindings, doctorRunErrors),
  area("Backups and restores", backupErrors),
  area("Files of the state", fileErrors),
  area("Model calls", modelCallErrors),
  area("Database: rules", ruleErrors),
  area("Database: values and references", duplicateErrors, referenceErrors, valueErrors),
  area("Database: access", databaseErrors),
  area("Database: schema and upgrades", schemaErrors),
  area("Pages of the dashboard", interfaceErrors),
  area("Builds of Workers and pages", buildErrors),
  area("Command line of npm run fleet", fleetUsageErrors),
  area("Calls of the API by npm run fleet", fleetCallErrors),
  area("Stack files of npm run fleet", fleetFileErrors),
  area("Handovers between Git and the dashboard", fleetHandoverErrors),
  area("Moves between stacks", fleetMoveErrors),
  area("Dumps, restores and repairs of the database", fleetDatabaseErrors),
  area("Rotations of secrets", fleetRotationErrors),
  area("Runs of stacks, and the doctor", fleetRunErrors),
  area("Preflight of a stack", preflightErrors, preflightApiErrors, preflightAccountErrors, preflightServiceErrors),
  area("Verification of a platform", verifyErrors),
  area("npm start and the local edge", localStartErrors),
  area("Settings of a stack", stackSettingErrors),
  area("Refused plans", planRefusals),
  area("Faults of a plan", planErrors),
  area("Limits, owners and placement of a plan", planRuleErrors),
  area("Outputs of other stacks", stackOutputErrors),
  area("Pulumi provider tenantry", providerErrors),
  area("Policy pack", policyErrors),
  area("Start of the automation service", automationErrors),
  area("Services that the automation service calls", outsideErrors),
  area("Mails", mailErrors),
  area("Notifications", notificationErrors),
  area("Incidents", incidentErrors),
  area("Failed jobs", failedJobErrors),
  area("Cancelled jobs", overtakenJobs),
  area("Waiting jobs", waitingJobs),
  area("Runs of the engine", engineRunErrors),
];
