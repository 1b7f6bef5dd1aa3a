import { useSyncExternalStore } from "react";

/** `polling`: without live events, queries are refetched periodically. */
export type LiveState = "connecting" | "live" | "polling";

let state: LiveState = "connecting";
const listeners = new Set<() => void>();

/** Returns whether the state changed. */
export function setLiveState(next: LiveState): boolean {
  if (next === state) return false;
  state = next;
  for (const listener of listeners) listener();
  return true;
}

export const useLiveState = (): LiveState =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => state,
  );

export const isLive = (): boolean => state === "live";
