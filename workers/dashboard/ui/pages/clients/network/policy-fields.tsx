/** The fields of an egress policy, of a tenant or of a partner. */
import { linesOf, textOfEntries } from "#domain/egress/entry-text.ts";
import { type EgressMode, type EgressPolicy, egressModes } from "#domain/egress/policy-types.ts";
import { fieldFaults } from "#workers/dashboard/ui/api/faults.ts";
import { SelectField, TextArea } from "#workers/dashboard/ui/kit/form/field.tsx";

const MODES: Readonly<Record<EgressMode, string>> = {
  open: "Open: any public host",
  audit: "Audit: any public host, recorded",
  allowlist: "Allowlist: listed hosts only",
};
const NONE = "none";

export interface PolicyForm {
  /** A mode, or {@link NONE}. */
  readonly mode: string;
  readonly text: string;
}

export const formOf = (policy: EgressPolicy | null): PolicyForm => ({
  mode: policy?.mode ?? NONE,
  text: textOfEntries(policy?.entries ?? []),
});

/** Returns a policy for the API, which reads the lines. */
export function policyOf({ mode, text }: PolicyForm) {
  const known = egressModes.find((one) => one === mode);
  return known === undefined ? null : { mode: known, entries: linesOf(text) };
}

export const describeMode = (mode: EgressMode): string => MODES[mode];

export function describePolicy(policy: EgressPolicy | null): string {
  if (policy === null) return "No rule";
  return policy.mode === "allowlist" ? `Allowlist with ${policy.entries.length} entries` : MODES[policy.mode];
}

interface PolicyFieldsProps {
  value: PolicyForm;
  onChange: (value: PolicyForm) => void;
  /** Name of the choice that states nothing. */
  none: string;
  error: Error | null;
}

export function PolicyFields({ value, onChange, none, error }: PolicyFieldsProps) {
  const faults = Object.entries(fieldFaults(error)).map(([path, fault]) => `${lineAt(path)}${fault}`);
  const choices = [
    { value: NONE, name: none },
    ...egressModes.map((mode) => ({ value: mode as string, name: MODES[mode] })),
  ];
  return (
    <>
      <SelectField
        label="Mode"
        value={value.mode}
        choices={choices}
        onChange={(mode) => onChange({ ...value, mode })}
      />
      {value.mode === NONE ? null : (
        <TextArea
          label="Hosts"
          about="One per line, with optional ports and methods: *.example.com 443,8443 GET,POST. Only the mode allowlist uses them."
          value={value.text}
          onChange={(text) => onChange({ ...value, text })}
          fault={faults.length === 0 ? undefined : faults.join(" ")}
          spellCheck={false}
          rows={8}
          className="font-mono"
        />
      )}
    </>
  );
}

/** Returns the line of a fault, such as of `policy.entries.2`. */
function lineAt(path: string): string {
  const [, index] = /^policy\.entries\.(\d+)/.exec(path) ?? [];
  return index === undefined ? "" : `Entry ${Number(index) + 1}: `;
}
