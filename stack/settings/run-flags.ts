/** What is said to one run alone: by a variable of its process and not by the configuration, which the next run would read too. */
import { TAKE_OVER_VARIABLE } from "#domain/tenants/owner.ts";

/** Variable that names the slugs whose kept buckets a run may adopt, separated by commas. Default: none. */
export const ADOPT_BUCKETS_VARIABLE = "TENANTRY_ADOPT_BUCKETS";

/**
 * Variable that names the slugs whose tenants in the dashboard may have the buckets of earlier clients with these slugs, separated by commas.
 * Default: none.
 */
export const KEPT_BACKUPS_VARIABLE = "TENANTRY_KEPT_BACKUPS";

/** Variable that names the directory of a kept bundle of the tenants' Worker (`workers/kept-bundle.ts`). Default: the checkout's own. */
export const TENANT_BUNDLE_VARIABLE = "TENANTRY_TENANT_BUNDLE";

/** Every such variable. */
export const RUN_FLAG_VARIABLES = [
  TAKE_OVER_VARIABLE,
  ADOPT_BUCKETS_VARIABLE,
  KEPT_BACKUPS_VARIABLE,
  TENANT_BUNDLE_VARIABLE,
] as const;

export interface RunFlags {
  /** Slugs, gateway ids and root users that the run may take over from other stacks. */
  takeOver: ReadonlySet<string>;
  /** Slugs whose tenants may have the backup buckets that earlier ones left. */
  adoptBuckets: ReadonlySet<string>;
  /** Slugs of the dashboard's tenants that may have the buckets of earlier clients. */
  keptBackups: ReadonlySet<string>;
  /** Directory of the bundle that the tenants' Workers run; undefined for the checkout's own. */
  tenantBundle: string | undefined;
}

export const NO_FLAGS: RunFlags = {
  takeOver: new Set(),
  adoptBuckets: new Set(),
  keptBackups: new Set(),
  tenantBundle: undefined,
};

export function readRunFlags(variables: NodeJS.ProcessEnv): RunFlags {
  const namesOf = (variable: string) => {
    const names = (variables[variable] ?? "").split(",").map((name) => name.trim());
    return new Set(names.filter((name) => name !== ""));
  };
  return {
    takeOver: namesOf(TAKE_OVER_VARIABLE),
    adoptBuckets: namesOf(ADOPT_BUCKETS_VARIABLE),
    keptBackups: namesOf(KEPT_BACKUPS_VARIABLE),
    tenantBundle: variables[TENANT_BUNDLE_VARIABLE] || undefined,
  };
}
