/** Calls of models in the log of an AI gateway that tenants share, with their spending in the analytics. */
import { type ApiServer, account_id, writePoint } from "@tenantry/edge/testing/api";
import { costPoint } from "#workers/contracts/tenant/metrics/cost-metrics.ts";

const HOUR_MS = 3_600_000;
const POOL = "pool-a";
const MICROS = 1_000_000;

/** One flagged call of bob for $3 and one of nobody for $0.50, both of `acme`, and one of another tenant that forges the metadata. */
export async function addCalls({ cloudflare, gateways, analytics }: ApiServer): Promise<void> {
  await cloudflare.aiGateway.create({
    ...{ account_id, id: POOL, cache_invalidate_on_update: true, cache_ttl: 0, collect_logs: true },
    ...{ rate_limiting_interval: 0, rate_limiting_limit: 0 },
  });
  const add = (id: string, metadata: Record<string, string>, dollars: number, isFlagged = false) => {
    const profile = { context: {}, entry_ids: [], profile_id: "financial" };
    const at = Date.now() - HOUR_MS;
    gateways.logs.add(POOL, {
      ...{ id, created_at: new Date(at).toISOString(), duration: 1_200, path: "chat/completions", step: 0 },
      ...{ provider: "openai", model: "gpt-5", success: true, cached: false, status_code: 200 },
      ...{ tokens_in: 90, tokens_out: 10, cost: dollars, custom_cost: false },
      ...{ request_content_type: "application/json", response_content_type: "application/json" },
      metadata: { environment: "production", plan: "pro", ...metadata },
      dlp: isFlagged ? { action: "FLAG", findings: [{ profile, policy_ids: [], check: "REQUEST" }] } : undefined,
    });
    const { tenant = "", person } = metadata;
    addSpending({ analytics }, { at, tenant, model: "gpt-5", person, dollars });
  };
  add("01JA", { tenant: "acme", person: "bob@acme.test" }, 3, true);
  add("01JB", { tenant: "acme" }, 0.5);
  add("01JC", { tenant: "hooli", person: "stranger", x: "acme" }, 70, true);
}

interface Spent {
  at: number;
  tenant: string;
  model: string;
  person?: string | undefined;
  dollars: number;
}

export function addSpending({ analytics }: Pick<ApiServer, "analytics">, spent: Spent): void {
  const { at, tenant, model, person, dollars } = spent;
  const dimensions = { environment: "production", provider: "openai", model, ...(person && { person }) };
  const { indexes, blobs, doubles } = costPoint(tenant, { metric: "ai_spend", value: dollars * MICROS, dimensions });
  writePoint(analytics, "tenantry", { at, index: indexes[0], blobs, doubles, sampleInterval: 1 });
}
