/** The version that a dialog was opened with, so that what somebody else has changed since is not overwritten unseen. */
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";

/**
 * @param current as it is read now
 * @param tag of what is read anew
 * @returns the version that a change is made to; what reads anew, after which it is the one that came of that, and none that comes later
 */
export function useSeenVersion(
  current: number,
  tag: string,
): readonly [version: number, readAnew: () => Promise<void>] {
  const queries = useQueryClient();
  const [seen, setSeen] = useState(current);
  const [isAwaited, setAwaited] = useState(false);
  useEffect(() => {
    if (!isAwaited || current <= seen) return;
    setSeen(current);
    setAwaited(false);
  }, [isAwaited, current, seen]);
  const readAnew = useCallback(async () => {
    setAwaited(true);
    await queries.invalidateQueries({ queryKey: [tag] });
  }, [queries, tag]);
  return [seen, readAnew];
}
