/** What is typed into the branding's form, beside what is saved. */
import { useEffect, useState } from "react";
import type { PartnerStyle } from "#workers/contracts/api/people/partners.ts";
import { useDraft } from "#workers/dashboard/ui/kit/form/draft.ts";
import { type BrandingValues, bodyOf, valuesOf } from "./branding-values.ts";

interface Typed {
  values: Partial<BrandingValues>;
  /** What was saved when typing began; null while nothing was typed. */
  base: string | null;
}

const NOTHING: Typed = { values: {}, base: null };

/** @param name of the partner */
export function useBrandingDraft(style: PartnerStyle, name: string) {
  const [typed, setTyped, discard] = useDraft<Typed>(`branding-${style.partner_id}`, NOTHING);
  const [wasSaved, setWasSaved] = useState(false);
  const textOf = (one: PartnerStyle) => JSON.stringify(bodyOf(valuesOf(one), name));
  const saved = textOf(style);
  const values = { ...valuesOf(style), ...typed.values };
  const body = bodyOf(values, name);
  const isChanged = JSON.stringify(body) !== saved;
  // Not before it is read: until then it would show what was there before.
  const isOver = wasSaved && !isChanged;
  useEffect(() => {
    if (!isOver) return;
    discard();
    setWasSaved(false);
  }, [isOver, discard]);
  return {
    values,
    body,
    isChanged,
    /** Whether somebody else has saved another branding since. */
    isOvertaken: typed.base !== null && isChanged && typed.base !== saved,
    change(part: Partial<BrandingValues>) {
      setWasSaved(false);
      setTyped({ values: { ...typed.values, ...part }, base: typed.base ?? saved });
    },
    /** Goes on with what was typed, over what is saved now. */
    keep: () => setTyped({ base: saved }),
    discard,
    /** Ends the draft, unless more is typed. */
    end(answer: PartnerStyle) {
      setWasSaved(true);
      setTyped({ base: textOf(answer) });
    },
  };
}
