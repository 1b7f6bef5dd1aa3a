export interface RolloutCandidate {
  /** A UUID. */
  instanceId: string;
  isCanary: boolean;
}

/** Leading hexadecimal digits of a UUID, which are random. */
const DIGITS = 8;

/** Position of a tenant in every rollout, from 0 to 1. It follows from the ID, so that the same tenants come first each time. */
export const stickyPosition = (instanceId: string): number =>
  Number.parseInt(instanceId.slice(0, DIGITS), 16) / 16 ** DIGITS;

/**
 * Returns the wave of each tenant. Wave 0 has the canaries, or without any the tenant with the lowest position.
 *
 * @param percents of all tenants after each further wave, rising to 100
 */
export function planWaves(candidates: readonly RolloutCandidate[], percents: readonly number[]): Map<string, number> {
  const inOrder = candidates.toSorted((a, b) => stickyPosition(a.instanceId) - stickyPosition(b.instanceId));
  const named = inOrder.filter(({ isCanary }) => isCanary);
  const canaries = named.length > 0 ? named : inOrder.slice(0, 1);
  const others = inOrder.filter((candidate) => !canaries.includes(candidate));
  const waves = new Map(canaries.map(({ instanceId }) => [instanceId, 0]));
  others.forEach(({ instanceId }, index) => {
    const share = (100 * (canaries.length + index + 1)) / inOrder.length;
    const wave = percents.findIndex((percent) => share <= percent);
    waves.set(instanceId, (wave < 0 ? percents.length - 1 : wave) + 1);
  });
  return waves;
}

export function wavesFault(percents: readonly number[]): string | undefined {
  const rises = percents.every((percent, index) => percent > (percents[index - 1] ?? 0));
  if (rises && percents.at(-1) === 100) return undefined;
  return "The waves must be rising percentages of the tenants that end with 100, such as [10, 50, 100].";
}
