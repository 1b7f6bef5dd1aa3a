/** What is typed over a row that others change too: its fields that were typed alone, and the version that they were typed over. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useDraft } from "./draft.ts";

interface Kept<T> {
  typed?: Partial<T>;
  version?: number;
}

const NOTHING = {};

export interface RowDraft<T> {
  typed: Partial<T>;
  /** What the change is made to: the version that was there when typing began, or was read anew since. */
  version: number;
  change: (part: Partial<T>) => void;
  /** Of what is given up, and of what is shown no more. */
  forget: () => void;
  /** Forgets what was sent: it is shown until the saved version is read, and not what was there before. What was typed since stays. */
  end: (version: number, sent: Partial<T>) => void;
  /** Reads the row anew; the change is made to what comes of that, and to nothing that comes later. */
  readAnew: () => Promise<void>;
}

/**
 * @param name as a draft's
 * @param current version of the row, as it is read now
 * @param tag of what is read anew
 */
export function useRowDraft<T extends object>(name: string, current: number, tag: string): RowDraft<T> {
  const queries = useQueryClient();
  const [kept, keep, forget] = useDraft<Kept<T>>(name, NOTHING);
  const [saved, setSaved] = useState<Required<Kept<T>>>();
  const [isAwaited, setAwaited] = useState(false);
  const unread = saved !== undefined && saved.version > current ? saved : undefined;
  const typed = { ...unread?.typed, ...kept.typed };
  const version = kept.version ?? unread?.version ?? current;
  useEffect(() => {
    if (!isAwaited || current <= version) return;
    keep({ version: current });
    setAwaited(false);
  }, [isAwaited, current, version, keep]);
  return {
    typed,
    version,
    change: (part) => keep({ typed: { ...kept.typed, ...part }, version }),
    forget,
    end(next, sent) {
      setSaved({ typed: sent, version: next });
      const since = Object.entries(typed).filter(([name, value]) => value !== sent[name as keyof T]);
      if (since.length === 0) forget();
      else keep({ typed: Object.fromEntries(since) as Partial<T>, version: next });
    },
    async readAnew() {
      keep({ version });
      setAwaited(true);
      await queries.invalidateQueries({ queryKey: [tag] });
    },
  };
}
