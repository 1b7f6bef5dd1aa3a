import { type Environment, environmentName } from "./environment.ts";

/** Name of an environment's analytics dataset: letters and underscores, because queries do not quote it. */
export function analyticsDataset(environment: Environment): string {
  return environmentName("tenantry", environment).replace("-", "_");
}
