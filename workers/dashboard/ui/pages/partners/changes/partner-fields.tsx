import { slugFault } from "#domain/names/slug.ts";
import { TextField } from "#workers/dashboard/ui/kit/form/field.tsx";

export interface PartnerValues {
  slug: string;
  name: string;
}

interface PartnerFieldsProps {
  values: PartnerValues;
  onChange: (part: Partial<PartnerValues>) => void;
  faults: Readonly<Record<string, string>>;
}

export const slugFaultOf = (slug: string): string | undefined =>
  slug.trim() === "" ? undefined : slugFault(slug.trim());

export const PartnerFields = ({ values, onChange, faults }: PartnerFieldsProps) => (
  <>
    <TextField
      label="Name"
      about="Shown to users and clients unless the branding has a display name."
      value={values.name}
      onChange={(name) => onChange({ name })}
      fault={faults.name}
      maxLength={200}
    />
    <TextField
      label="Slug"
      about="Lowercase letters, digits and inner hyphens, such as globex."
      value={values.slug}
      onChange={(slug) => onChange({ slug })}
      fault={slugFaultOf(values.slug) ?? faults.slug}
      spellCheck={false}
    />
  </>
);
