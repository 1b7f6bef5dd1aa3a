import { useSyncExternalStore } from "react";

export interface Store<T> {
  get(): T;
  /** Returns whether the value changed. */
  set(next: T): boolean;
  subscribe(listener: () => void): () => void;
}

/** A value outside of React. Components read it by `useStore`. */
function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      if (next === value) return false;
      value = next;
      for (const listener of listeners) listener();
      return true;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export const useStore = <T>({ subscribe, get }: Store<T>): T => useSyncExternalStore(subscribe, get);

/** `polling`: without live events, queries are refetched periodically. */
export type LiveState = "connecting" | "live" | "polling";
export const liveState = createStore<LiveState>("connecting");

/** Whether the login has expired, as reported by the first call that fails for it. */
export const sessionExpiry = createStore(false);
