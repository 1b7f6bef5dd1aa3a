import { useCallback, useEffect, useState } from "react";
import { useViewer } from "../../api/session.ts";

const PREFIX = "tenantry.draft.";

/**
 * Keeps the entries of a form in the tab, over a failed save, a reload and a login, for the current user only.
 *
 * @param name of the form, unique for each row that it changes
 * @param initial values of an empty form, and of fields that a stored draft lacks
 * @param onDiscarded called after the draft is discarded
 * @returns the values; a function that changes some; a function that discards the draft
 */
export function useDraft<T extends object>(
  name: string,
  initial: T,
  onDiscarded?: () => void,
): readonly [values: T, change: (part: Partial<T>) => void, discard: () => void] {
  const key = `${PREFIX}${useViewer().user.id}.${name}`;
  const [values, setValues] = useState<T>(() => ({ ...initial, ...readDraft(key) }));
  const [changed, setChanged] = useState(false);
  useEffect(() => {
    if (changed) sessionStorage.setItem(key, JSON.stringify(values));
  }, [changed, key, values]);
  const change = useCallback((part: Partial<T>) => {
    setChanged(true);
    setValues((before) => ({ ...before, ...part }));
  }, []);
  const discard = useCallback(() => {
    setChanged(false);
    setValues(initial);
    sessionStorage.removeItem(key);
    onDiscarded?.();
  }, [key, initial, onDiscarded]);
  return [values, change, discard];
}

function readDraft(key: string): object {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(key) ?? "{}");
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}
