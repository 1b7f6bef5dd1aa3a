import { type Environment, environmentName } from "./environment.ts";

/** Name of an environment's analytics dataset: letters and underscores, because queries do not quote it. */
export const analyticsDataset = (environment: Environment): string =>
  environmentName("tenantry", environment).replace("-", "_");
