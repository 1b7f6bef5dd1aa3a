/** Resources that rules check: type tokens, and schemas of the properties that rules read. */
import * as z from "zod";
import { knownValue, LATER, orLater } from "./known.ts";

export const ACCESS_APPLICATION = "cloudflare:index/zeroTrustAccessApplication:ZeroTrustAccessApplication";
export const ACCESS_GROUP = "cloudflare:index/zeroTrustAccessGroup:ZeroTrustAccessGroup";
export const ACCESS_POLICY = "cloudflare:index/zeroTrustAccessPolicy:ZeroTrustAccessPolicy";
export const AI_GATEWAY = "cloudflare:index/aiGateway:AiGateway";
export const BUCKET = "cloudflare:index/r2Bucket:R2Bucket";
export const SCRIPT = "cloudflare:index/workersScript:WorkersScript";
export const BACKUP_BUCKET = "tenantry:components:BackupBucket";
export const CONTAINERS = "tenantry:index:ContainerApplication";
export const RECORD = "tenantry:index:DatabaseRecord";
export const TENANT_SCRIPT = "tenantry:index:NamespacedScript";

const text = orLater(z.string());
const listOrLater = <S extends z.ZodType>(entry: S) => orLater(z.array(orLater(entry))).default([]);

const accessRule = z.record(z.string(), z.unknown());

/** Properties that a preview of a new stack does not know default to {@link LATER}. */
const accessPolicy = z.looseObject({
  decision: text.default(LATER),
  includes: orLater(z.array(orLater(accessRule))).default(LATER),
});
export type AccessPolicy = z.infer<typeof accessPolicy>;
export const readAccessPolicy = resourceReader(accessPolicy);

export const readAccessGroup = resourceReader(z.looseObject({ includes: listOrLater(accessRule) }));

export const readAccessApplication = resourceReader(
  z.looseObject({
    domain: text.optional(),
    selfHostedDomains: listOrLater(z.string()),
    destinations: listOrLater(z.looseObject({ uri: text.optional() })),
    /** By id or, as the vendor allows, in full. */
    policies: listOrLater(accessPolicy),
  }),
);

const binding = z.looseObject({ type: text, text: orLater(z.unknown()).optional(), bucketName: text.optional() });
export type Binding = z.infer<typeof binding>;

const tenantScript = z.looseObject({
  scriptName: text,
  bindings: orLater(z.record(z.string(), orLater(binding))).default({}),
  secrets: orLater(z.record(z.string(), text)).default({}),
  tags: listOrLater(z.string()),
  limits: orLater(
    z.looseObject({ cpuMs: orLater(z.number()).optional(), subrequests: orLater(z.number()).optional() }),
  ).default({}),
});
export type TenantScript = z.infer<typeof tenantScript>;
export const readTenantScript = resourceReader(tenantScript);

export const readScript = resourceReader(
  z.looseObject({ bindings: listOrLater(z.looseObject({ ...binding.shape, name: text })) }),
);

export const readContainers = resourceReader(z.looseObject({ scriptName: text, instanceType: text.optional() }));

export const readBucket = resourceReader(z.looseObject({ name: text }));

export const readBackupBucket = resourceReader(z.looseObject({ keepOnDestroy: orLater(z.boolean()).optional() }));

export const readRecord = resourceReader(
  z.looseObject({ table: text, key: orLater(z.record(z.string(), z.unknown())).default({}) }),
);

export const readAiGateway = resourceReader(
  z.looseObject({
    dlp: orLater(
      z.looseObject({
        enabled: orLater(z.boolean()).optional(),
        action: text.optional(),
        profiles: listOrLater(z.string()),
      }),
    ).optional(),
    spendLimits: orLater(
      z.looseObject({
        enabled: orLater(z.boolean()).optional(),
        rules: listOrLater(
          z.looseObject({
            enabled: orLater(z.boolean()).optional(),
            limit: orLater(z.number()).optional(),
            metadata: orLater(
              z.record(z.string(), orLater(z.looseObject({ values: listOrLater(z.string()) }))),
            ).default({}),
          }),
        ),
      }),
    ).optional(),
  }),
);

function resourceReader<S extends z.ZodType>(schema: S) {
  return (resource: { readonly urn: string; readonly props: object }): z.infer<S> => {
    const { success, data, error } = schema.safeParse(knownValue(resource.props));
    if (success) return data;
    throw new Error(`${resource.urn} cannot be checked: ${z.prettifyError(error)}`);
  };
}

export function bindingText({ bindings }: TenantScript, name: string): string | undefined {
  if (typeof bindings === "symbol") return undefined;
  const found = bindings[name];
  if (found === undefined || typeof found === "symbol") return undefined;
  return typeof found.text === "string" ? found.text : undefined;
}
