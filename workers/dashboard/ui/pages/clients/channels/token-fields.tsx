import { CHANNEL_KINDS, type ChannelKind } from "#domain/channels/channel.ts";
import { fieldFaults } from "#workers/dashboard/ui/api/faults.ts";
import { TextField } from "#workers/dashboard/ui/kit/form/field.tsx";

export interface Pasted {
  token: string;
  secret: string;
}
export const NOTHING_PASTED: Pasted = { token: "", secret: "" };

const MAX_LENGTH = 1_024;

interface TokenFieldsProps {
  kind: ChannelKind;
  pasted: Pasted;
  onChange: (pasted: Pasted) => void;
  error: unknown;
  /** Whether an empty secret stays as it is. */
  keepsSecret?: boolean;
}

/** Token and secret of a bot. Forms do not store them as a draft. */
export function TokenFields({ kind, pasted, onChange, error, keepsSecret = false }: TokenFieldsProps) {
  const { secret } = CHANNEL_KINDS[kind];
  const faults = fieldFaults(error);
  return (
    <>
      <TextField
        label="Token of the bot"
        value={pasted.token}
        onChange={(token) => onChange({ ...pasted, token })}
        fault={faults.token === undefined ? undefined : `The token ${faults.token}.`}
        maxLength={MAX_LENGTH}
        spellCheck={false}
        required
      />
      {secret === undefined ? null : (
        <TextField
          label={`${secret.label.charAt(0).toUpperCase()}${secret.label.slice(1)}`}
          {...(keepsSecret && { about: "Empty: unchanged." })}
          value={pasted.secret}
          onChange={(next) => onChange({ ...pasted, secret: next })}
          fault={faults.secret === undefined ? undefined : `The secret ${faults.secret}.`}
          maxLength={MAX_LENGTH}
          spellCheck={false}
          required={!keepsSecret}
        />
      )}
    </>
  );
}

/** Returns the fields of a request. */
export const bodyOf = ({ token, secret }: Pasted) => ({
  token,
  ...(secret.trim() !== "" && { secret }),
});
