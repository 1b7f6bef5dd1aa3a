/** What is typed into a form, kept until it was sent: over a failed save, a reload and a log-in. */
import { useCallback, useEffect, useState } from "react";

const PREFIX = "tenantry.draft.";

/**
 * A form's values by their names.
 *
 * @param name of the form, one for each thing that it changes; undefined for one that is not kept
 * @param initial what it begins with, and what a kept draft of an older form lacks
 * @returns values; what changes some of them; what forgets the draft, once it was sent or given up
 */
export function useDraft<T extends object>(
  name: string | undefined,
  initial: T,
): readonly [values: T, change: (part: Partial<T>) => void, forget: () => void] {
  const key = name === undefined ? undefined : PREFIX + name;
  const [values, setValues] = useState<T>(() => ({ ...initial, ...kept(key) }));
  const [changed, setChanged] = useState(false);
  useEffect(() => {
    if (changed && key !== undefined) sessionStorage.setItem(key, JSON.stringify(values));
  }, [changed, key, values]);
  const change = useCallback((part: Partial<T>) => {
    setChanged(true);
    setValues((before) => ({ ...before, ...part }));
  }, []);
  const forget = useCallback(() => {
    setChanged(false);
    setValues(initial);
    if (key !== undefined) sessionStorage.removeItem(key);
  }, [key, initial]);
  return [values, change, forget];
}

function kept(key: string | undefined): object {
  if (key === undefined) return {};
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(key) ?? "{}");
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}
