import { isDoorKey } from "#domain/doors/door-key.ts";

export interface DoorPath {
  key: string;
  /** Without a leading slash. */
  subpath: string;
}

/** Returns the parts of `/{key}` or `/{key}/{subpath}`; `undefined` for a path without a key, also for an escaped one. */
export function parseDoorPath(pathname: string): DoorPath | undefined {
  const [, key = "", ...rest] = pathname.split("/");
  if (!isDoorKey(key)) return undefined;
  // A slash alone is not the address of the door.
  return { key, subpath: rest.length === 1 && rest[0] === "" ? "/" : rest.join("/") };
}
