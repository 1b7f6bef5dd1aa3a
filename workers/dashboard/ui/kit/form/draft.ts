/** What is typed into a form, kept until it is saved or given up: over a failed save, a reload and a log-in. */
import { useCallback, useEffect, useState } from "react";
import { useViewer } from "../../api/session.ts";

const PREFIX = "tenantry.draft.";

/**
 * A form's values by their names. Whoever logs in next in the same tab does not find them.
 *
 * @param name of the form, one for each thing that it changes
 * @param initial what it begins with, and what a kept draft of an older form lacks
 * @returns values; what changes some of them; what forgets the draft, once it was sent or given up
 */
export function useDraft<T extends object>(
  name: string,
  initial: T,
): readonly [values: T, change: (part: Partial<T>) => void, forget: () => void] {
  const key = `${PREFIX}${useViewer().user.id}.${name}`;
  const [values, setValues] = useState<T>(() => ({ ...initial, ...kept(key) }));
  const [changed, setChanged] = useState(false);
  useEffect(() => {
    if (changed) sessionStorage.setItem(key, JSON.stringify(values));
  }, [changed, key, values]);
  const change = useCallback((part: Partial<T>) => {
    setChanged(true);
    setValues((before) => ({ ...before, ...part }));
  }, []);
  const forget = useCallback(() => {
    setChanged(false);
    setValues(initial);
    sessionStorage.removeItem(key);
  }, [key, initial]);
  return [values, change, forget];
}

function kept(key: string): object {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(key) ?? "{}");
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}
