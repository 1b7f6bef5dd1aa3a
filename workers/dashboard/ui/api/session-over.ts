/** Whether the log-in has ended: told by whichever call finds out first. */
let over = false;
const listeners = new Set<() => void>();

export const sessionOver = {
  tell(): void {
    if (over) return;
    over = true;
    for (const listener of listeners) listener();
  },
  get: (): boolean => over,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};
