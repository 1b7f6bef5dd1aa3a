/** The file of a stack by which Git declares a tenant, as the database knows it. */
import { stringify } from "yaml";
import type { TenantRows } from "../../../../database/tenants/hand-over.ts";
import { stackOf } from "../../../../domain/owner.ts";
import { declaredClient, tenantsConfig } from "../../../../domain/tenant-declaration.ts";
import { tenantStackName } from "../../../../domain/tenant-stack.ts";
import type { InstanceFile } from "../../../contracts/api/instances.ts";

const WIDTH = 120;

/**
 * That of the tenant's own stack as a whole, without its comments and how it is encrypted; of a stack that holds more, the tenant's part.
 *
 * @param platformStack `{organization}/{project}/{stack}`
 */
export function stackFile(rows: TenantRows, platformStack: string): InstanceFile {
  const { slug, environment, owner, instance } = rows;
  const own = tenantStackName(slug, environment);
  const urn = owner ?? instance?.owner ?? null;
  const stack = (urn === null ? undefined : stackOf(urn)?.split("/").at(-1)) ?? own;
  const clients = [declaredClient(rows)];
  const whole = stack === own;
  const config = whole ? tenantsConfig({ environment, platformStack, clients }) : { "tenantry:clients": clients };
  const name = `Pulumi.${stack}.yaml`;
  return { path: whole ? `tenants/${name}` : name, text: stringify({ config }, { lineWidth: WIDTH }), whole };
}
