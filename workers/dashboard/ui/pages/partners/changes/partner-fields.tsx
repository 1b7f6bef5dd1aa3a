/** What a partner is called, as it is typed. */
import { slugFault } from "#domain/names/slug.ts";
import { TextField } from "#workers/dashboard/ui/kit/form/field.tsx";

export interface PartnerValues {
  slug: string;
  name: string;
}

export interface PartnerFieldsProps {
  values: PartnerValues;
  onChange: (part: Partial<PartnerValues>) => void;
  /** What the API has refused, by names. */
  faults: Readonly<Record<string, string>>;
}

/** Why a slug cannot be; undefined for one that can, and for none. */
export const slugFaultOf = (slug: string): string | undefined =>
  slug.trim() === "" ? undefined : slugFault(slug.trim());

export function PartnerFields({ values, onChange, faults }: PartnerFieldsProps) {
  return (
    <>
      <TextField
        label="Name"
        about="What its people and clients read, unless its branding says otherwise."
        value={values.name}
        onChange={(name) => onChange({ name })}
        fault={faults.name}
        maxLength={200}
        autoComplete="off"
      />
      <TextField
        label="Slug"
        about="Small letters, digits and inner hyphens, such as globex."
        value={values.slug}
        onChange={(slug) => onChange({ slug })}
        fault={slugFaultOf(values.slug) ?? faults.slug}
        autoComplete="off"
        spellCheck={false}
      />
    </>
  );
}
