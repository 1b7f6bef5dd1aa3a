import { isObject, same } from "@tenantry/plugin-host";

/** Considers only declared keys, because the API returns many defaults. Compares whole lists, but not their order. */
export function liveAsDeclared(declared: unknown, live: unknown): unknown {
  if (Array.isArray(declared)) return Array.isArray(live) ? liveList(declared, live) : emptyOr(declared, live);
  if (isObject(declared) && isObject(live)) {
    const keys = Object.keys(declared).filter((key) => live[key] !== undefined && live[key] !== null);
    return Object.fromEntries(keys.map((key) => [key, liveAsDeclared(declared[key], live[key])]));
  }
  if (sameJson(declared, live)) return declared;
  return live === null ? undefined : live;
}

/** To the API, an empty list equals none. */
function emptyOr(declared: unknown[], live: unknown): unknown {
  return declared.length === 0 && (live === undefined || live === null) ? declared : (live ?? undefined);
}

function liveList(declared: readonly unknown[], live: readonly unknown[]): unknown[] {
  const left = [...live];
  const found = declared.filter((item) => {
    const index = left.findIndex(
      (candidate) => same(liveAsDeclared(item, candidate), item) && !isEmptied(item, candidate),
    );
    if (index >= 0) left.splice(index, 1);
    return index >= 0;
  });
  return [...found, ...left.map(withoutNull)];
}

/** An empty object matches every object as a subset, so it matches only another empty one. */
function isEmptied(item: unknown, candidate: unknown): boolean {
  return isObject(item) && isObject(candidate) && Object.keys(item).length === 0 && Object.keys(candidate).length > 0;
}

/** Whether both are JSON texts of the same value. */
function sameJson(declared: unknown, live: unknown): boolean {
  if (typeof declared !== "string" || typeof live !== "string" || !/^[{[]/.test(declared)) return false;
  try {
    return same(JSON.parse(declared), JSON.parse(live));
  } catch {
    return false;
  }
}

function withoutNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNull);
  if (!isObject(value)) return value;
  const present = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(present.map(([key, inner]) => [key, withoutNull(inner)]));
}
