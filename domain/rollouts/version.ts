/** What an instance is wanted to run, and what a roll-out makes of that. */

/** Null: the platform's image, or the Worker of whoever deploys; of a roll-out: none that it brings. */
export interface Version {
  imageId: string | null;
  bundleId: string | null;
}

/** What a tenant runs once it has what is brought; of what is not brought it keeps its own. */
export const withBrought = (now: Version, brought: Version): Version => ({
  imageId: brought.imageId ?? now.imageId,
  bundleId: brought.bundleId ?? now.bundleId,
});

/** What a tenant runs once it is taken back: that of before, for what it has still of what was brought, and else what it has. */
export const withoutBrought = (now: Version, brought: Version, before: Version): Version => ({
  imageId: has(now.imageId, brought.imageId) ? before.imageId : now.imageId,
  bundleId: has(now.bundleId, brought.bundleId) ? before.bundleId : now.bundleId,
});

const has = (now: string | null, brought: string | null): boolean => brought !== null && now === brought;

export const isSameVersion = (one: Version, other: Version): boolean =>
  one.imageId === other.imageId && one.bundleId === other.bundleId;
