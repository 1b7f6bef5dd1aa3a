import { usePartners } from "../../api/partners.ts";
import { useViewer } from "../../api/session.ts";
import { ChoiceFilter } from "./filters.tsx";

export interface PartnerFilterProps {
  /** The partner's id; undefined for any. */
  value: string | undefined;
  onChange: (partner: string | undefined) => void;
}

/** Whose a list shows, for platform roots; others see their own alone. */
export function PartnerFilter({ value, onChange }: PartnerFilterProps) {
  const { isRoot } = useViewer();
  const partners = usePartners();
  if (!isRoot) return null;
  return (
    <ChoiceFilter
      name="Partner"
      value={value}
      values={partners.map(({ id }) => id)}
      nameOf={(id) => partners.find((one) => one.id === id)?.name ?? id}
      onChange={onChange}
    />
  );
}
