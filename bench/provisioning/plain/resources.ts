/** A state's resources as the plain program is given them. */
import * as z from "zod";
import type { PlainResource } from "./plain-resource.ts";

const list = z.array(z.string()).default([]);
const held = z.object({
  urn: z.string(),
  type: z.string(),
  custom: z.boolean(),
  inputs: z.record(z.string(), z.unknown()).default({}),
  parent: z.string().optional(),
  provider: z.string().optional(),
  dependencies: list,
  ignoreChanges: list,
  additionalSecretOutputs: list,
  retainOnDelete: z.boolean().default(false),
});

/** What the engine calls a provider that a program does not declare. */
const OWN_PROVIDER = /::default(?:_(?<version>\d+_\d+_\d+))?(?:$|::)/;
const STACK = "pulumi:pulumi:Stack";

/** @param resources of a state that was exported with its secrets */
export function plainResources(resources: unknown): PlainResource[] {
  const all = z.array(held).parse(resources);
  return all
    .filter(({ type, urn }) => type !== STACK && !OWN_PROVIDER.test(urn))
    .map(({ provider, parent, ...one }) => {
      const own = OWN_PROVIDER.exec(provider ?? "");
      const version = own?.groups?.version?.replaceAll("_", ".");
      return {
        ...one,
        name: one.urn.split("::").at(-1) ?? "",
        ...(parent !== undefined && { parent }),
        // With the provider's id at its end.
        ...(provider !== undefined && own === null && { provider: provider.split("::").slice(0, -1).join("::") }),
        ...(version !== undefined && { version }),
      };
    });
}
