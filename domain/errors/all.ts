/** Every error of the catalogue, by area, for documents and tests. Programs import the files of their areas, which are smaller. */
import { aiGatewayErrors } from "./api/ai-gateways.ts";
import { billingErrors } from "./api/billing.ts";
import { clientErrors } from "./api/clients.ts";
import { instanceErrors } from "./api/instances.ts";
import { jobErrors } from "./api/jobs.ts";
import { partnerErrors } from "./api/partners.ts";
import { peopleErrors } from "./api/people.ts";
import { requestErrors } from "./api/requests.ts";
import { serviceErrors } from "./api/service.ts";
import { versionErrors } from "./api/versions.ts";
import { buildErrors } from "./builds.ts";
import type { ErrorEntry, Named } from "./catalogue.ts";
import { duplicateErrors, referenceErrors, valueErrors } from "./database/constraints.ts";
import { databaseErrors } from "./database/faults.ts";
import { ruleErrors } from "./database/rules.ts";
import { schemaErrors } from "./database/schema.ts";
import { gatewayChoiceErrors } from "./gateway-choice.ts";
import { interfaceErrors } from "./interface.ts";
import { backupErrors } from "./tenants/backups.ts";
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
  area("AI gateways", aiGatewayErrors, gatewayChoiceErrors),
  area("Images, Workers, rollouts and incidents", versionErrors),
  area("Jobs", jobErrors),
  area("Partners", partnerErrors),
  area("Users and invitations", peopleErrors),
  area("Credit and invoices", billingErrors),
  area("Requests to tenants", trafficErrors),
  area("Tenant Worker", workerErrors),
  area("Backups and restores", backupErrors),
  area("Model calls", modelCallErrors),
  area("Database: rules", ruleErrors),
  area("Database: values and references", duplicateErrors, referenceErrors, valueErrors),
  area("Database: access", databaseErrors),
  area("Database: schema and upgrades", schemaErrors),
  area("Pages of the dashboard", interfaceErrors),
  area("Builds of Workers and pages", buildErrors),
];
