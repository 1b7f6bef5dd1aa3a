/** In which order a new version reaches the tenants. */

export interface RolloutCandidate {
  /** A UUID. */
  instanceId: string;
  /** Whether it is to be among the first. */
  isCanary: boolean;
}

/** Hexadecimal digits of a UUID's random beginning. */
const DIGITS = 8;

/** Where a tenant stands in every order, from 0 to 1: it follows from its id, so that the same ones are the first each time. */
export const stickyPosition = (instanceId: string): number =>
  Number.parseInt(instanceId.slice(0, DIGITS), 16) / 16 ** DIGITS;

/**
 * The wave of each tenant. Wave 0 are the canaries; where none is named, the first in the sticky order is it.
 *
 * @param percents of all tenants that have it after each further wave, rising to 100
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

/** What is wrong with the percents of waves, in one sentence; `undefined` when nothing is. */
export function wavesFault(percents: readonly number[]): string | undefined {
  const rises = percents.every((percent, index) => percent > (percents[index - 1] ?? 0));
  if (rises && percents.at(-1) === 100) return undefined;
  return "Waves are rising percents of the tenants that end with 100, such as [10, 50, 100].";
}
