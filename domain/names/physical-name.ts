/** Names of deployed things, cut to the vendor's length without clashes. */
import { type Environment, environmentName } from "../environment.ts";

/**
 * `name` itself when it has at most `max` characters; else its head and a hash of the whole, so that two long names
 * which differ only at the end stay different.
 */
export function physicalName(name: string, max: number): string {
  if (name.length <= max) return name;
  const hash = fnv1a(name);
  return `${name.slice(0, max - hash.length - 1).replace(/-+$/, "")}-${hash}`;
}

/** Digits of the hash that a cut name ends in. */
const HASH_LENGTH = 13;

/** Whether {@link physicalName} may have cut a name: it looks so. */
export function mayBeCut(name: string, max: number): boolean {
  return name.length > max - HASH_LENGTH && /-[0-9a-z]{13}$/.test(name);
}

/** FNV-1a over UTF-16 code units, 64 bits as 13 base-36 digits at most. */
function fnv1a(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (let index = 0; index < text.length; index += 1) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(index))) * 0x100000001b3n);
  }
  return hash.toString(36).padStart(HASH_LENGTH, "0");
}

/** The name of the tenant's script in the dispatch namespace: `tenant-{slug}`. */
export function tenantScriptName(slug: string, environment: Environment): string {
  return `tenant-${environmentName(slug, environment)}`;
}
