import { useEffect, useState } from "react";
import type { PartnerStyle } from "#workers/contracts/api/people/partners.ts";
import { useDraft } from "#workers/dashboard/ui/kit/form/draft.ts";
import { type BrandingValues, bodyOf, valuesOf } from "./branding-values.ts";

interface BrandingEdits {
  values: Partial<BrandingValues>;
  /** The saved branding when editing started; null without edits. */
  base: string | null;
}

const NO_EDITS: BrandingEdits = { values: {}, base: null };

export function useBrandingDraft(style: PartnerStyle, name: string) {
  const [edits, setEdits, discard] = useDraft<BrandingEdits>(`branding-${style.partner_id}`, NO_EDITS);
  const [wasSaved, setWasSaved] = useState(false);
  const textOf = (one: PartnerStyle) => JSON.stringify(bodyOf(valuesOf(one), name));
  const saved = textOf(style);
  const values = { ...valuesOf(style), ...edits.values };
  const body = bodyOf(values, name);
  const isChanged = JSON.stringify(body) !== saved;
  // Waits for the refetch, because the form would otherwise briefly show the previous values.
  const isSaved = wasSaved && !isChanged;
  useEffect(() => {
    if (!isSaved) return;
    discard();
    setWasSaved(false);
  }, [isSaved, discard]);
  return {
    values,
    body,
    isChanged,
    /** Whether another user saved a different branding since. */
    hasConflict: edits.base !== null && isChanged && edits.base !== saved,
    change(part: Partial<BrandingValues>) {
      setWasSaved(false);
      setEdits({ values: { ...edits.values, ...part }, base: edits.base ?? saved });
    },
    /** Rebases the draft on what is saved now. */
    keep: () => setEdits({ base: saved }),
    discard,
    /** Ends the draft unless it changes again. */
    end(answer: PartnerStyle) {
      setWasSaved(true);
      setEdits({ base: textOf(answer) });
    },
  };
}
