/** What a Worker's bindings are given, checked against its contract: one that is missing, superfluous or of another kind does not compile. */
import * as pulumi from "@pulumi/pulumi";
import { type PlatformSettings, type VariableName, variablesOf, variableTexts } from "#domain/settings/platform.ts";
import type { Reader } from "#domain/settings/platform-settings.ts";
import type { SecretNames } from "#workers/contracts/bindings.ts";
import type { PlatformOutputs } from "../platform-outputs.ts";
import type { ScriptBinding } from "../resources/script-binding.ts";

interface SecretBinding {
  type: "secret_text";
  text: pulumi.Input<string>;
}
/** To the files that are uploaded with the script. */
interface AssetsBinding {
  type: "assets";
}
type Binding = ScriptBinding | SecretBinding | AssetsBinding;

/** What is given for each name of `B`; what may be left out may be undefined. */
type GivenFor<B, Value extends { [K in keyof B]: unknown }> = {
  [K in keyof B]: Value[K] | (Record<never, never> extends Pick<B, K> ? undefined : never);
};

/** Every binding of a Worker by its name. */
export type BindingsOf<B> = GivenFor<B, { [K in keyof B]: Extract<Binding, { type: B[K] }> }>;

/** Those that are no secrets. */
export type OpenBindingsOf<B> = BindingsOf<Omit<B, SecretNames<B>>>;

/** The texts of those that are secrets. */
export type SecretsOf<B> = GivenFor<Pick<B, SecretNames<B>>, Record<SecretNames<B>, pulumi.Input<string>>>;

/** A text that anyone may see. */
export const plainText = (text: pulumi.Input<string>) => ({ type: "plain_text", text }) as const;

/** A text that is held as a secret. */
export const secretText = (text: pulumi.Input<string>) => ({ type: "secret_text", text: pulumi.secret(text) }) as const;

/** What `make` makes of a text; undefined where there is none. */
export const optional = <T>(text: string | undefined, make: (text: string) => T): T | undefined =>
  text === undefined ? undefined : make(text);

/** The variables that a platform's Worker gets of the settings. */
export function settingBindings<R extends Reader>(reader: R, settings: PlatformSettings) {
  const texts = Object.entries<string | undefined>(variableTexts(reader, settings));
  const bindings = Object.fromEntries(texts.map(([name, text]) => [name, optional(text, plainText)]));
  return bindings as Record<VariableName<R>, ReturnType<typeof plainText> | undefined>;
}

/** The variables that a tenant's Worker gets of the platform's settings. */
export function tenantSettingBindings(platform: pulumi.Output<PlatformOutputs>) {
  const bindings = Object.fromEntries(
    variablesOf("tenant").map(({ name, textIn }) => [name, plainText(platform.apply((told) => textIn(told) ?? ""))]),
  );
  return bindings as Record<VariableName<"tenant">, ReturnType<typeof plainText>>;
}

/** What is there of what may be undefined. */
export function present<T>(given: Readonly<Record<string, T | undefined>>): Record<string, T> {
  const isThere = (entry: [string, T | undefined]): entry is [string, T] => entry[1] !== undefined;
  return Object.fromEntries(Object.entries(given).filter(isThere));
}

/** Bindings as the vendor's `WorkersScript` has them: one list, in the order given. */
export function listed(bindings: Readonly<Record<string, Binding | undefined>>) {
  return Object.entries(present(bindings)).map(([name, binding]) => ({ name, ...binding }));
}
