import { type Environment, environmentName } from "../environment.ts";

/** Truncates a name to `max` characters, with a hash of the whole name at the end so that long names stay different. */
export function physicalName(name: string, max: number): string {
  if (name.length <= max) return name;
  const hash = fnv1a(name);
  return `${name.slice(0, max - hash.length - 1).replace(/-+$/, "")}-${hash}`;
}

const HASH_LENGTH = 13;

/** Whether a name has the form of a name that {@link physicalName} truncated. */
export const mayBeCut = (name: string, max: number): boolean =>
  name.length > max - HASH_LENGTH && /-[0-9a-z]{13}$/.test(name);

/** FNV-1a over UTF-16 code units, 64 bits as 13 base-36 digits. */
function fnv1a(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (let index = 0; index < text.length; index += 1) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(index))) * 0x100000001b3n);
  }
  return hash.toString(36).padStart(HASH_LENGTH, "0");
}

export const tenantScriptName = (slug: string, environment: Environment): string =>
  `tenant-${environmentName(slug, environment)}`;
