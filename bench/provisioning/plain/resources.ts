import * as z from "zod";

const list = z.array(z.string()).default([]);
const stateResource = z.object({
  urn: z.string(),
  type: z.string(),
  custom: z.boolean(),
  /** A secret is an object with its `plaintext`. */
  inputs: z.record(z.string(), z.unknown()).default({}),
  parent: z.string().optional(),
  provider: z.string().optional(),
  dependencies: list,
  ignoreChanges: list,
  additionalSecretOutputs: list,
  retainOnDelete: z.boolean().default(false),
});

export interface PlainResource extends Omit<z.infer<typeof stateResource>, "parent" | "provider"> {
  name: string;
  parent?: string;
  /** URN of a provider that the program declares. */
  provider?: string;
  /** Version of the engine's default provider. */
  version?: string;
}

const OWN_PROVIDER = /::default(?:_(?<version>\d+_\d+_\d+))?(?:$|::)/;
const STACK = "pulumi:pulumi:Stack";

export function plainResources(resources: unknown): PlainResource[] {
  const all = z.array(stateResource).parse(resources);
  return all
    .filter(({ type, urn }) => type !== STACK && !OWN_PROVIDER.test(urn))
    .map(({ provider, parent, ...resource }) => {
      const own = OWN_PROVIDER.exec(provider ?? "");
      const version = own?.groups?.version?.replaceAll("_", ".");
      return {
        ...resource,
        name: resource.urn.split("::").at(-1) ?? "",
        ...(parent !== undefined && { parent }),
        // The last part is the provider's id.
        ...(provider !== undefined && own === null && { provider: provider.split("::").slice(0, -1).join("::") }),
        ...(version !== undefined && { version }),
      };
    });
}
