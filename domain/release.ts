/** Versions of Tenantry: `major.minor.patch`, by semver.org. */

/** The version of this code. */
export const RELEASE = "0.2.0";

/**
 * The version that last changed the database's schema (`database/migrations`, `database/routines`, `database/callers/grants.ts`). Later
 * versions with the same schema can be rolled back to it.
 */
export const SCHEMA_RELEASE = "0.2.0";

/** The oldest version that works with this schema: environments share a database and are upgraded one by one. */
export const COMPATIBLE_FROM = "0.1.0";

export function isOlder(version: string, other: string): boolean {
  const [a, b] = [version, other].map((text) => text.split(".").map(Number));
  for (const [index, part] of (a ?? []).entries()) {
    const than = b?.[index] ?? 0;
    if (part !== than) return part < than;
  }
  return false;
}
