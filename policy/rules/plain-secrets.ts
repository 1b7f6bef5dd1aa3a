import type { ResourceValidationPolicy } from "@pulumi/policy";
import { errorText } from "#domain/errors/catalogue.ts";
import { policyErrors } from "#domain/errors/stack/policies.ts";
import { LATER } from "../known.ts";
import { type Binding, readScript, readTenantScript, SCRIPT, TENANT_SCRIPT } from "../resources.ts";

/** Names of secret bindings; ids and URLs of secrets do not match. */
const SECRET_NAME = /(^|_)(AUTHORIZATION|CREDENTIALS?|KEYS?|PASSPHRASE|PASSWORD|SECRETS?|TOKENS?)$/i;

/** Patterns of secret texts, whatever their binding's name. */
const SECRET_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----/, "a private key"],
  [/^[a-z][a-z0-9+.-]*:\/\/[^/@\s]*:[^/@\s]+@/i, "a URL with a password"],
  [/^eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+$/, "a signed token"],
  [/^sk-[\w-]{16,}$/, "a provider's key"],
  [/^Bearer /i, "a bearer token"],
];

/** Plain text bindings contain no secrets, because script settings and the stack's state show them. Names, texts and equal secrets are checked. */
export const plainSecrets: ResourceValidationPolicy = {
  name: "plain-secrets",
  description: "Secrets of Workers are bound as secrets, never as plain text.",
  enforcementLevel: "mandatory",
  validateResource: (resource, report) => {
    const bindings =
      resource.type === TENANT_SCRIPT ? ofTenant(resource) : resource.type === SCRIPT ? ofAccount(resource) : [];
    const secrets = new Map(
      bindings.filter(isSecret).flatMap(({ name, text }) => (typeof text === "string" && text ? [[text, name]] : [])),
    );
    for (const binding of bindings.filter(({ type }) => type === "plain_text" || type === "json")) {
      const fault = faultOf(binding, secrets);
      if (fault !== undefined) {
        const values = { binding: binding.name, script: resource.name, fault };
        report(errorText(policyErrors.secret_in_plain_text, values));
      }
    }
  },
};

type Named = Pick<Binding, "type" | "text"> & { name: string };

const isSecret = ({ type }: Named): boolean => type === "secret_text";

function faultOf({ name, text }: Named, secrets: ReadonlyMap<string, string>): string | undefined {
  if (SECRET_NAME.test(name)) return "has the name of a secret";
  if (typeof text !== "string") return undefined;
  const same = secrets.get(text);
  if (same !== undefined) return `has the text of the secret ${same}`;
  const kind = SECRET_TEXTS.find(([pattern]) => pattern.test(text))?.[1];
  return kind && `looks like ${kind}`;
}

function ofTenant(resource: Parameters<typeof readTenantScript>[0]): Named[] {
  const { bindings, secrets } = readTenantScript(resource);
  const open = bindings === LATER ? [] : Object.entries(bindings);
  const hidden = secrets === LATER ? [] : Object.entries(secrets);
  return [
    ...open.flatMap(([name, binding]) => (binding === LATER ? [] : [{ ...binding, name }])),
    ...hidden.map(([name, text]) => ({ name, type: "secret_text", text })),
  ];
}

function ofAccount(resource: Parameters<typeof readScript>[0]): Named[] {
  const { bindings } = readScript(resource);
  if (bindings === LATER) return [];
  return bindings.flatMap((binding) =>
    binding === LATER || binding.name === LATER ? [] : [{ ...binding, name: binding.name }],
  );
}
