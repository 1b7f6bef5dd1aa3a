import { usePartners } from "../../api/partners.ts";
import { useViewer } from "../../api/session.ts";
import { ChoiceFilter } from "./filters.tsx";

interface PartnerFilterProps {
  /** Partner id; undefined for any. */
  value: string | undefined;
  onChange: (partner: string | undefined) => void;
}

/** For platform roots; other viewers have one partner. */
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
