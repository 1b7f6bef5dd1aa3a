/** Environments of a platform. */
export const environments = ["production", "staging", "development"] as const;
export type Environment = (typeof environments)[number];

/** Suffix of every name in an environment. */
export const ENVIRONMENT_SUFFIX = {
  production: "",
  staging: "-staging",
  development: "-dev",
} as const satisfies Record<Environment, string>;

/** A name in an environment: `acme` in production, `acme-dev` in development, `acme-staging` in staging. */
export const environmentName = (name: string, environment: Environment): string =>
  `${name}${ENVIRONMENT_SUFFIX[environment]}`;
