import { SelectField, TextField } from "#workers/dashboard/ui/kit/form/field.tsx";
import { SecretField as HiddenField } from "#workers/dashboard/ui/kit/form/secret-field.tsx";
import { isPublicSecret } from "./kind-texts.ts";
import type { Entered, SecretField } from "./secrets.ts";
import { WithCode } from "./with-code.tsx";

interface SecretInputsProps {
  fields: readonly SecretField[];
  entered: Entered;
  onChange: (entered: Entered) => void;
  faults: Readonly<Record<string, string>>;
  /** Whether an empty secret stays as it is. Default: it is generated, or has its default. */
  keepsEmpty?: boolean;
}

export const SecretInputs = ({ fields, entered, onChange, faults, keepsEmpty = false }: SecretInputsProps) =>
  fields.map((field) => {
    const { name, label, choices, isRequired } = field;
    const common = {
      label,
      about: aboutOf(field, keepsEmpty),
      fault: faults[name],
      value: entered[name] ?? "",
      onChange: (value: string) => onChange({ ...entered, [name]: value }),
    };
    if (choices === undefined) {
      const Field = isPublicSecret(name) ? TextField : HiddenField;
      // A browser may send text that it checks for spelling to a server.
      return (
        <Field
          key={name}
          {...common}
          optional={!isRequired && !keepsEmpty}
          required={isRequired && !keepsEmpty}
          spellCheck={false}
          maxLength={2_048}
        />
      );
    }
    const empty = keepsEmpty ? "unchanged" : `${field.defaultValue ?? "none"} (default)`;
    const listed = keepsEmpty ? choices : choices.filter((choice) => choice !== field.defaultValue);
    return (
      <SelectField
        key={name}
        {...common}
        choices={[{ value: "", name: empty }, ...listed.map((choice) => ({ value: choice, name: choice }))]}
      />
    );
  });

function aboutOf({ about, isGenerated, defaultValue, choices }: SecretField, keepsEmpty: boolean) {
  const ifEmpty = keepsEmpty
    ? undefined
    : isGenerated
      ? "Generated if empty."
      : defaultValue && choices === undefined
        ? `Default: \`${defaultValue}\`.`
        : undefined;
  const text = [about, ifEmpty].filter((part) => part !== undefined).join(" ");
  return text === "" ? undefined : <WithCode text={text} />;
}
