/** The file of a stack by which Git declares a tenant, as the database knows it. */
import { stringify } from "yaml";
import type { TenantRows } from "#database/tenants/hand-over.ts";
import { stackOf } from "#domain/tenants/owner.ts";
import { declaredClient, tenantsConfig } from "#domain/tenants/tenant-declaration.ts";
import { tenantStackName } from "#domain/tenants/tenant-stack.ts";
import type { InstanceFile } from "#workers/contracts/api/tenants/instances.ts";

const WIDTH = 120;
const UNTOLD = "# tenantry:platformStack, which names the platform's stack, is shown to platform roots alone.\n";

/**
 * That of the tenant's own stack as a whole, without its comments and how it is encrypted; of a stack that holds more, the tenant's part.
 *
 * @param platformStack `{organization}/{project}/{stack}`; `undefined` for whom it is not: a comment stands in its place
 */
export function stackFile(rows: TenantRows, platformStack: string | undefined): InstanceFile {
  const { slug, environment, owner, instance } = rows;
  const own = tenantStackName(slug, environment);
  const urn = owner ?? instance?.owner ?? null;
  const stack = (urn === null ? undefined : stackOf(urn)?.split("/").at(-1)) ?? own;
  const clients = [declaredClient(rows)];
  const whole = stack === own;
  const name = `Pulumi.${stack}.yaml`;
  const text = (config: object) => stringify({ config }, { lineWidth: WIDTH });
  if (!whole) return { path: name, text: text({ "tenantry:clients": clients }), whole };
  if (platformStack === undefined) {
    const { "tenantry:platformStack": _untold, ...others } = tenantsConfig({ environment, platformStack: "", clients });
    return { path: `tenants/${name}`, text: UNTOLD + text(others), whole };
  }
  const config = tenantsConfig({ environment, platformStack, clients });
  return { path: `tenants/${name}`, text: text(config), whole };
}
