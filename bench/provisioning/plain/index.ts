/** Declares the resources of a state again, with the inputs that it holds, and does nothing else. */
import { readFileSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";
import type { PlainResource } from "./plain-resource.ts";

class Custom extends pulumi.CustomResource {}
class Provider extends pulumi.ProviderResource {}
class Component extends pulumi.ComponentResource {}

/** Secrets of a state as a program has them; what a provider's own check added stays out. */
function inputsOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inputsOf);
  if (typeof value !== "object" || value === null) return value;
  if ("plaintext" in value) return pulumi.secret(JSON.parse(String(value.plaintext)));
  const entries = Object.entries(value).filter(([key]) => key !== "__defaults");
  return Object.fromEntries(entries.map(([key, inner]) => [key, inputsOf(inner)]));
}

const made = new Map<string, pulumi.Resource>();

// No check, which would be more than the least: `resources.ts` wrote them.
const resources: readonly PlainResource[] = JSON.parse(readFileSync(process.env.BENCH_RESOURCES ?? "", "utf8"));
for (const one of resources) {
  const { urn, type, name, provider, version } = one;
  const inputs = inputsOf(one.inputs) as pulumi.Inputs;
  const parent = made.get(one.parent ?? "");
  const dependsOn = one.dependencies.flatMap((other) => made.get(other) ?? []);
  const by = made.get(provider ?? "");
  const options: pulumi.CustomResourceOptions = {
    dependsOn,
    ignoreChanges: one.ignoreChanges,
    retainOnDelete: one.retainOnDelete,
    additionalSecretOutputs: one.additionalSecretOutputs,
    ...(parent && { parent }),
    ...(by instanceof Provider && { provider: by }),
    ...(version !== undefined && { version }),
  };
  if (type === "pulumi:pulumi:StackReference") made.set(urn, new pulumi.StackReference(name));
  else if (type.startsWith("pulumi:providers:"))
    made.set(urn, new Provider(type.split(":").at(-1) ?? "", name, inputs));
  else if (one.custom) made.set(urn, new Custom(type, name, inputs, options));
  else made.set(urn, new Component(type, name, inputs, { dependsOn, ...(parent && { parent }) }));
}
