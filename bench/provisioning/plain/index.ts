/** Declares the resources of a state with the same inputs. */
import { readFileSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";
import type { PlainResource } from "./resources.ts";

class Custom extends pulumi.CustomResource {}
class Provider extends pulumi.ProviderResource {}
class Component extends pulumi.ComponentResource {}

/** Restores secrets, without what a provider's check added. */
function inputsOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inputsOf);
  if (typeof value !== "object" || value === null) return value;
  if ("plaintext" in value) return pulumi.secret(JSON.parse(String(value.plaintext)));
  const entries = Object.entries(value).filter(([key]) => key !== "__defaults");
  return Object.fromEntries(entries.map(([key, inner]) => [key, inputsOf(inner)]));
}

const created = new Map<string, pulumi.Resource>();

// Without validation, to measure a minimum: `resources.ts` wrote them.
const resources: readonly PlainResource[] = JSON.parse(readFileSync(process.env.BENCH_RESOURCES ?? "", "utf8"));
for (const resource of resources) {
  const { urn, type, name, version } = resource;
  const inputs = inputsOf(resource.inputs) as pulumi.Inputs;
  const parent = created.get(resource.parent ?? "");
  const dependsOn = resource.dependencies.flatMap((other) => created.get(other) ?? []);
  const provider = created.get(resource.provider ?? "");
  const options: pulumi.CustomResourceOptions = {
    dependsOn,
    ignoreChanges: resource.ignoreChanges,
    retainOnDelete: resource.retainOnDelete,
    additionalSecretOutputs: resource.additionalSecretOutputs,
    ...(parent && { parent }),
    ...(provider instanceof Provider && { provider }),
    ...(version !== undefined && { version }),
  };
  if (type === "pulumi:pulumi:StackReference") created.set(urn, new pulumi.StackReference(name));
  else if (type.startsWith("pulumi:providers:"))
    created.set(urn, new Provider(type.split(":").at(-1) ?? "", name, inputs));
  else if (resource.custom) created.set(urn, new Custom(type, name, inputs, options));
  else created.set(urn, new Component(type, name, inputs, { dependsOn, ...(parent && { parent }) }));
}
