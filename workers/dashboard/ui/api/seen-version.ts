import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";

/**
 * Keeps the version that a dialog was opened with, so that it does not overwrite later changes unseen.
 *
 * @param tag of the query that reads the row
 * @returns the version to change, and a function that refetches the row once and adopts the version that results
 */
export function useSeenVersion(current: number, tag: string): readonly [version: number, reload: () => Promise<void>] {
  const queries = useQueryClient();
  const [seen, setSeen] = useState(current);
  const [isReloading, setReloading] = useState(false);
  useEffect(() => {
    if (!isReloading || current <= seen) return;
    setSeen(current);
    setReloading(false);
  }, [isReloading, current, seen]);
  const reload = useCallback(async () => {
    setReloading(true);
    await queries.invalidateQueries({ queryKey: [tag] });
  }, [queries, tag]);
  return [seen, reload];
}
