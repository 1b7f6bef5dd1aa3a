let hasExpired = false;
const listeners = new Set<() => void>();

/** Whether the login has expired, as reported by the first call that fails for it. */
export const sessionExpiry = {
  report(): void {
    if (hasExpired) return;
    hasExpired = true;
    for (const listener of listeners) listener();
  },
  get: (): boolean => hasExpired,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};
