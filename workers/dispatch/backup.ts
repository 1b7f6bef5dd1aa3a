/** `POST /_backup/:slug`: has a tenant's Worker back up what is there now, before its container is replaced. */
import { planLimits } from "../../domain/plan.ts";
import { type Environment, tenantScriptName } from "../../domain/slug.ts";
import { BACKUP_PATH, BACKUP_TIMEOUT_MS } from "../contracts/internal.ts";
import { Refusal } from "./refusal.ts";

/** The platform's own work, whatever the tenant's plan: some ten calls, and bytes by the gigabyte. */
const BACKUP_LIMITS = planLimits("enterprise");

/**
 * The answer of the tenant's Worker. Neither database nor cache is asked, so that frozen tenants are reached too, and tenants of a
 * platform whose database is down.
 *
 * @throws Refusal when there is no such Worker, or it does not answer in {@link BACKUP_TIMEOUT_MS}
 */
export async function backUp(
  slug: string,
  environment: Environment,
  domain: string,
  dispatcher: DispatchNamespace,
): Promise<Response> {
  const name = tenantScriptName(slug, environment);
  const { cpuMs, subrequests } = BACKUP_LIMITS;
  try {
    const worker = dispatcher.get(name, {}, { limits: { cpuMs, subRequests: subrequests } });
    return await worker.fetch(
      new Request(`https://${name}.${domain}${BACKUP_PATH}`, {
        method: "POST",
        signal: AbortSignal.timeout(BACKUP_TIMEOUT_MS),
      }),
    );
  } catch (error) {
    if (/worker not found/i.test(error instanceof Error ? error.message : "")) {
      throw new Refusal("tenant_not_found", "There is no such tenant.");
    }
    throw new Refusal("gateway_unavailable", "The tenant's Worker did not answer.", undefined, error);
  }
}
