import { stringify } from "yaml";
import type { TenantRows } from "#database/tenants/handover.ts";
import { stackOf } from "#domain/tenants/owner.ts";
import { declaredClient, tenantsConfig } from "#domain/tenants/tenant-declaration.ts";
import { tenantStackName } from "#domain/tenants/tenant-stack.ts";
import type { InstanceFile } from "#workers/contracts/api/instances/instances.ts";

const WIDTH = 120;
const HIDDEN = "# tenantry:platformStack, which names the platform's stack, is shown to platform roots alone.\n";

/**
 * Renders the stack file of a tenant from its rows, without comments and encryption. For a stack with other tenants, only the tenant's part.
 *
 * @param platformStack `{organization}/{project}/{stack}`; `undefined`: a comment replaces it
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
    const { "tenantry:platformStack": _hidden, ...others } = tenantsConfig({ environment, platformStack: "", clients });
    return { path: `tenants/${name}`, text: HIDDEN + text(others), whole };
  }
  const config = tenantsConfig({ environment, platformStack, clients });
  return { path: `tenants/${name}`, text: text(config), whole };
}
