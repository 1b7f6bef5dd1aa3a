import { CatalogueError } from "#domain/errors/catalogue-error.ts";
import { engineRunErrors } from "#domain/errors/service/engine-runs.ts";
import { nameOf } from "./run/resource-names.ts";
import { type ExportedState, scratchStack } from "./state/scratch-backend.ts";

type Config = Readonly<Record<string, unknown>>;

const PLATFORM_STACK = "tenantry:platformStack";
const REFERENCE = "pulumi:pulumi:StackReference";
const CLIENT = "tenantry:components:Client";

/** In order of preference. */
export function platformStacksOf(config: Config): string[] {
  return [config[PLATFORM_STACK]].flat().filter((name) => typeof name === "string");
}

/** Returns the settings with the names that the platforms' copies have in a scratch backend. */
export function onCopies(config: Config): Config {
  const names = platformStacksOf(config);
  if (names.length === 0) return config;
  const copies = names.map(scratchStack);
  return { ...config, [PLATFORM_STACK]: copies.length === 1 ? copies[0] : copies };
}

/** Returns the name in the settings of the platform that was found; `null` if the settings name only one, or others. */
export function namedPlatform(found: string | undefined, config: Config): string | null {
  const names = platformStacksOf(config);
  if (found === undefined || names.length < 2) return null;
  return names.find((name) => isSameStack(name, found)) ?? null;
}

/** Returns the platform's stack that the program of this state referred to. */
export function platformStackOf(state: ExportedState | undefined): string | undefined {
  const reference = state?.deployment.resources?.find(({ type }) => type === REFERENCE);
  return reference && nameOf(reference.urn);
}

/** Refuses a run that would remove and recreate tenants on another platform. @throws Error with one sentence */
export function refuseOtherPlatform(stack: string, state: ExportedState | undefined, config: Config): void {
  const named = platformStacksOf(config);
  const found = platformStackOf(state);
  if (named.length === 0 || found === undefined || named.some((name) => isSameStack(name, found))) return;
  if (!state?.deployment.resources?.some(({ type }) => type === CLIENT)) return;
  throw new CatalogueError(engineRunErrors.stack_of_other_platform, { stack, found, named: named.join(" or ") });
}

/** Whether two names, qualified or not, are of the same stack, in a backend or in its copy. */
export const isSameStack = (one: string, other: string): boolean => scratchStack(one) === scratchStack(other);
