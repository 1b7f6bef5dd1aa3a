/** An instance's target version; null: the platform's image, or the deploying service's Worker. In a rollout, null means no change. */
export interface Version {
  imageId: string | null;
  bundleId: string | null;
}

/** Returns the version after a rollout. */
export const withBrought = (now: Version, brought: Version): Version => ({
  imageId: brought.imageId ?? now.imageId,
  bundleId: brought.bundleId ?? now.bundleId,
});

/** Returns the version after a rollback: parts that still come from the rollout return to their previous ones. */
export const withoutBrought = (now: Version, brought: Version, before: Version): Version => ({
  imageId: hasVersion(now.imageId, brought.imageId) ? before.imageId : now.imageId,
  bundleId: hasVersion(now.bundleId, brought.bundleId) ? before.bundleId : now.bundleId,
});

const hasVersion = (now: string | null, brought: string | null): boolean => brought !== null && now === brought;

export const isSameVersion = (one: Version, other: Version): boolean =>
  one.imageId === other.imageId && one.bundleId === other.bundleId;
