/** Bindings of a Worker, checked against its contract: a missing, unknown or wrong one does not compile. */
import * as pulumi from "@pulumi/pulumi";
import { type PlatformSettings, type VariableName, variablesOf, variableTexts } from "#domain/settings/platform.ts";
import type { Reader } from "#domain/settings/platform-settings.ts";
import type { SecretNames } from "#workers/contracts/bindings.ts";
import type { PlatformOutputs } from "../platform-outputs.ts";
import type { ScriptBinding } from "../resources/script-binding.ts";
import type { Rotating } from "../rotating.ts";

interface SecretBinding {
  type: "secret_text";
  text: pulumi.Input<string>;
}
interface AssetsBinding {
  type: "assets";
}
type Binding = ScriptBinding | SecretBinding | AssetsBinding;

/** A value for each name of `B`; optional bindings may be undefined. */
type GivenFor<B, Value extends { [K in keyof B]: unknown }> = {
  [K in keyof B]: Value[K] | (Record<never, never> extends Pick<B, K> ? undefined : never);
};

export type BindingsOf<B> = GivenFor<B, { [K in keyof B]: Extract<Binding, { type: B[K] }> }>;

export type OpenBindingsOf<B> = BindingsOf<Omit<B, SecretNames<B>>>;

export type SecretsOf<B> = GivenFor<Pick<B, SecretNames<B>>, Record<SecretNames<B>, pulumi.Input<string>>>;

export const plainText = (text: pulumi.Input<string>) => ({ type: "plain_text", text }) as const;

export const secretText = (text: pulumi.Input<string>) => ({ type: "secret_text", text: pulumi.secret(text) }) as const;

export const convertIfDefined = <T>(text: string | undefined, convert: (text: string) => T): T | undefined =>
  text === undefined ? undefined : convert(text);

export const doorsKeyBindings = ({ used, other }: Rotating<pulumi.Output<string>>) => ({
  DOORS_KEY: secretText(used),
  OTHER_DOORS_KEY: other && secretText(other),
});

export function settingBindings<R extends Reader>(reader: R, settings: PlatformSettings) {
  const texts = Object.entries<string | undefined>(variableTexts(reader, settings));
  const bindings = Object.fromEntries(texts.map(([name, text]) => [name, convertIfDefined(text, plainText)]));
  return bindings as Record<VariableName<R>, ReturnType<typeof plainText> | undefined>;
}

export function tenantSettingBindings(platform: pulumi.Output<PlatformOutputs>) {
  const bindings = Object.fromEntries(
    variablesOf("tenant").map(({ name, textIn }) => [
      name,
      plainText(platform.apply((outputs) => textIn(outputs) ?? "")),
    ]),
  );
  return bindings as Record<VariableName<"tenant">, ReturnType<typeof plainText>>;
}

export function omitUndefined<T>(entries: Readonly<Record<string, T | undefined>>): Record<string, T> {
  const isPresent = (entry: [string, T | undefined]): entry is [string, T] => entry[1] !== undefined;
  return Object.fromEntries(Object.entries(entries).filter(isPresent));
}

/** Returns bindings as the list of the vendor's `WorkersScript`, in the same order. */
export function listBindings(bindings: Readonly<Record<string, Binding | undefined>>) {
  return Object.entries(omitUndefined(bindings)).map(([name, binding]) => ({ name, ...binding }));
}
