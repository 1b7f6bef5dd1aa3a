import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useDraft } from "./draft.ts";

interface Stored<T> {
  edits?: Partial<T>;
  version?: number;
}

const NO_EDITS = {};

interface RowDraft<T> {
  edits: Partial<T>;
  /** The version to change: that at the first edit, or after a reload. */
  version: number;
  change: (part: Partial<T>) => void;
  discard: () => void;
  /** Ends the draft after a save. Shows the saved values until they are refetched; later edits stay. */
  end: (version: number, saved: Partial<T>) => void;
  /** Refetches the row once and adopts the version that results. */
  reload: () => Promise<void>;
}

/**
 * A draft of changes to a row that others change too: only edited fields, and the version that they apply to.
 *
 * @param current version of the row as last read
 * @param tag of the query that reads the row
 */
export function useRowDraft<T extends object>(
  name: string,
  current: number,
  tag: string,
  onDiscarded?: () => void,
): RowDraft<T> {
  const queries = useQueryClient();
  const [draft, store, discard] = useDraft<Stored<T>>(name, NO_EDITS, onDiscarded);
  const [saved, setSaved] = useState<Required<Stored<T>>>();
  const [isReloading, setReloading] = useState(false);
  const unread = saved !== undefined && saved.version > current ? saved : undefined;
  const edits = { ...unread?.edits, ...draft.edits };
  const version = draft.version ?? unread?.version ?? current;
  useEffect(() => {
    if (!isReloading || current <= version) return;
    store({ version: current });
    setReloading(false);
  }, [isReloading, current, version, store]);
  return {
    edits,
    version,
    change: (part) => store({ edits: { ...draft.edits, ...part }, version }),
    discard,
    end(next, sent) {
      setSaved({ edits: sent, version: next });
      const later = Object.entries(edits).filter(([field, value]) => value !== sent[field as keyof T]);
      if (later.length === 0) discard();
      else store({ edits: Object.fromEntries(later) as Partial<T>, version: next });
    },
    async reload() {
      store({ version });
      setReloading(true);
      await queries.invalidateQueries({ queryKey: [tag] });
    },
  };
}
