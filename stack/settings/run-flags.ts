/** Flags of a single run, which are variables of its process, because the next run would read the configuration too. */
import { TAKE_OVER_VARIABLE } from "#domain/tenants/owner.ts";

/** Slugs whose existing buckets a run may adopt, separated by commas. Default: none. */
export const ADOPT_BUCKETS_VARIABLE = "TENANTRY_ADOPT_BUCKETS";

/** Slugs of the dashboard's tenants that may use the buckets of earlier clients, separated by commas. Default: none. */
export const KEPT_BACKUPS_VARIABLE = "TENANTRY_KEPT_BACKUPS";

/** Directory of a stored bundle of the tenants' Worker (`workers/stored-bundle.ts`). Default: the checkout's own. */
export const TENANT_BUNDLE_VARIABLE = "TENANTRY_TENANT_BUNDLE";

export const RUN_FLAG_VARIABLES = [
  TAKE_OVER_VARIABLE,
  ADOPT_BUCKETS_VARIABLE,
  KEPT_BACKUPS_VARIABLE,
  TENANT_BUNDLE_VARIABLE,
] as const;

export interface RunFlags {
  takeOver: ReadonlySet<string>;
  adoptBuckets: ReadonlySet<string>;
  keptBackups: ReadonlySet<string>;
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
