/** The stacks that hold the platforms which a stack's tenants may have, as its settings name them, and the one that its state tells. */
import { nameOf } from "./run/resource-names.ts";
import { type ExportedState, scratchStack } from "./state/scratch-backend.ts";

type Config = Readonly<Record<string, unknown>>;

const PLATFORM_STACK = "tenantry:platformStack";
const REFERENCE = "pulumi:pulumi:StackReference";
const CLIENT = "tenantry:components:Client";

/** In the order of preference. None where the settings name none, or as no such setting can be. */
export function platformStacksOf(config: Config): string[] {
  return [config[PLATFORM_STACK]].flat().filter((name) => typeof name === "string");
}

/** The same settings, with the platforms by the names that their copies have in a scratch backend. */
export function onCopies(config: Config): Config {
  const names = platformStacksOf(config);
  if (names.length === 0) return config;
  const copies = names.map(scratchStack);
  return { ...config, [PLATFORM_STACK]: copies.length === 1 ? copies[0] : copies };
}

/** Of several platforms that settings name the one that was found, by the name that it has there; `null` where they name one, or others. */
export function namedPlatform(found: string | undefined, config: Config): string | null {
  const names = platformStacksOf(config);
  if (found === undefined || names.length < 2) return null;
  return names.find((name) => isSameStack(name, found)) ?? null;
}

/** The stack that holds the platform of a state's tenants, as the program referred to it. */
export function platformStackOf(state: ExportedState | undefined): string | undefined {
  const reference = state?.deployment.resources?.find(({ type }) => type === REFERENCE);
  return reference && nameOf(reference.urn);
}

/**
 * Refuses a run by which a stack's tenants would have another platform: they would be removed there, and made anew here. Stacks are
 * called after slugs, so that the dashboards of two platforms in one backend mean the same stack by the same slug.
 *
 * @throws Error with one sentence
 */
export function refuseOtherPlatform(stack: string, state: ExportedState | undefined, config: Config): void {
  const named = platformStacksOf(config);
  const found = platformStackOf(state);
  if (named.length === 0 || found === undefined || named.some((name) => isSameStack(name, found))) return;
  if (!state?.deployment.resources?.some(({ type }) => type === CLIENT)) return;
  throw new Error(
    `The stack ${stack} has tenants of the platform ${found}, which would be removed there and made anew at ${named.join(" or ")}. Keep ` +
      `${found} in tenantry:platformStack, or choose another slug; where that stack was renamed, bring this one up by the engine's own command once.`,
  );
}

/** Whether two names are one stack's, qualified or not, in a backend or in a copy of it. */
export const isSameStack = (one: string, other: string): boolean => scratchStack(one) === scratchStack(other);
