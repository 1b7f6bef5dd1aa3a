/** The secrets of a door as form fields, from the schemas of the kinds. */
import { WEBHOOK_KINDS, type WebhookKind } from "@tenantry/webhooks/kinds";
import * as z from "zod";
import { Refused } from "#workers/dashboard/ui/api/faults.ts";
import { KIND_TEXTS, secretLabel } from "./kind-texts.ts";

export interface SecretField {
  name: string;
  label: string;
  about: string | undefined;
  /** Whether the platform generates it if it is not given. */
  isGenerated: boolean;
  isRequired: boolean;
  /** Of an optional secret with a default. */
  defaultValue: string | undefined;
  choices: readonly string[] | undefined;
}

export function secretFields(kind: WebhookKind): SecretField[] {
  const { secrets, generated } = WEBHOOK_KINDS[kind];
  const { secrets: hints = {}, issuedLater } = KIND_TEXTS[kind];
  return Object.entries(secrets.shape).map(([name, schema]) => {
    const missing = z.safeParse(schema, undefined);
    const isGenerated = generated.includes(name);
    return {
      ...{ name, label: secretLabel(name), about: hints[name], isGenerated },
      isRequired: !missing.success && !isGenerated && issuedLater?.secret !== name,
      defaultValue: typeof missing.data === "string" ? missing.data : undefined,
      choices: choicesOf(schema),
    };
  });
}

function choicesOf(schema: z.core.$ZodType): readonly string[] | undefined {
  const inner = schema instanceof z.ZodDefault ? schema.unwrap() : schema;
  return inner instanceof z.ZodEnum ? inner.options.map(String) : undefined;
}

export type Entered = Readonly<Record<string, string>>;

/** Returns the entered secrets without spaces around them, and without empty ones. */
export const enteredSecrets = (entered: Entered): Record<string, string> =>
  Object.fromEntries(
    Object.entries(entered).flatMap(([name, value]) => (value.trim() === "" ? [] : [[name, value.trim()]])),
  );

/** Returns a random secret for one that the vendor issues later. */
export function withPlaceholder(kind: WebhookKind, secrets: Record<string, string>): Record<string, string> {
  const later = KIND_TEXTS[kind].issuedLater;
  if (later === undefined || secrets[later.secret] !== undefined) return secrets;
  const random = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))));
  return { ...secrets, [later.secret]: later.placeholder(random) };
}

/** Returns the faults of the secrets by name, which the API sends as `name: fault`. */
export function secretFaults(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof Refused)) return {};
  const { secrets = [] } = z.object({ secrets: z.array(z.string()).optional() }).safeParse(error.details).data ?? {};
  return Object.fromEntries(
    secrets.toReversed().flatMap((fault) => {
      const end = fault.indexOf(": ");
      return end === -1 ? [] : [[fault.slice(0, end), fault.slice(end + 2)]];
    }),
  );
}
