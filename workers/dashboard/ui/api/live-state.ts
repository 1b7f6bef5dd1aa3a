/** Whether news are heard, or lists are read again from time to time instead. */
import { useSyncExternalStore } from "react";

export type LiveState = "connecting" | "live" | "polling";

let state: LiveState = "connecting";
const listeners = new Set<() => void>();

/** @returns whether it was another before */
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

/** An interval for reading again, which news make needless. */
export const whileNotLive = (milliseconds: number): number | false => (state === "live" ? false : milliseconds);
