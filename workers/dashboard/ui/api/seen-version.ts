/** The version that a form was opened with, so that what somebody else has changed since is not overwritten unseen. */
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";

/**
 * @param current as it is read now
 * @param tag of what is read anew
 * @returns the version that a change is made to; what reads anew, after which it is the current one
 */
export function useSeenVersion(
  current: number,
  tag: string,
): readonly [version: number, readAnew: () => Promise<void>] {
  const queries = useQueryClient();
  const [seen, setSeen] = useState<number | undefined>(current);
  const readAnew = useCallback(async () => {
    await queries.invalidateQueries({ queryKey: [tag] });
    setSeen(undefined);
  }, [queries, tag]);
  return [seen ?? current, readAnew];
}
