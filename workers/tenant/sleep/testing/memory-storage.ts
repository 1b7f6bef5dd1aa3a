import type { SleepStorage } from "../next-job.ts";

/** Returns an empty storage that keeps values as JSON. */
export function memoryStorage(): SleepStorage {
  const kept = new Map<string, string>();
  return {
    get: async (key) => JSON.parse(kept.get(key) ?? "null") ?? undefined,
    put: async (key, value) => void kept.set(key, JSON.stringify(value)),
    delete: async (key) => kept.delete(key),
  };
}
