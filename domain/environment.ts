/** Environments that a platform is deployed as, and what tells their names apart. */

/** Only the names of `production` carry no suffix. */
export const environments = ["production", "staging", "development"] as const;
export type Environment = (typeof environments)[number];

/** What every name of an environment ends in, so that none is another environment's. */
export const ENVIRONMENT_SUFFIX = {
  production: "",
  staging: "-staging",
  development: "-dev",
} as const satisfies Record<Environment, string>;

/** A name in an environment: `acme` in production, `acme-dev` in development, `acme-staging` in staging. */
export function environmentName(name: string, environment: Environment): string {
  return `${name}${ENVIRONMENT_SUFFIX[environment]}`;
}
