import * as pulumi from "@pulumi/pulumi";
import type { Environment } from "#domain/environment.ts";
import { DatabaseRecord } from "../resources/database-record.ts";
import type { Site } from "../site.ts";
import { AiGateway, type PiiFilter } from "./ai-gateway.ts";
import type { AiSpendLimits } from "./spend-limits.ts";

export interface PooledGateway {
  id: string;
  /** Maximum of instances that bind the gateway. */
  capacity: number;
  /** Environment that may bind the gateway. Default: all in production, otherwise the site's own. */
  environment?: Environment | undefined;
  enabled: boolean;
}

export interface AiGatewayPoolArgs {
  site: Site;
  gateways: readonly PooledGateway[];
  pii: pulumi.Input<PiiFilter>;
  spendLimits: pulumi.Input<AiSpendLimits>;
  /** Gateway ids that may be taken over from another stack. Default: none. */
  takeOver?: ReadonlySet<string>;
}

/**
 * The shared AI gateways and their rows, which the database's capacity rule reads.
 * @example
 * ```ts
 * new AiGatewayPool("pool", { site, gateways: [{ id: "pool-a", capacity: 20, enabled: true }], pii, spendLimits });
 * ```
 */
export class AiGatewayPool extends pulumi.ComponentResource {
  /** Row ids by gateway id. */
  readonly entries: Readonly<Record<string, pulumi.Output<string>>>;

  constructor(name: string, args: AiGatewayPoolArgs, opts?: pulumi.ComponentResourceOptions) {
    super("tenantry:components:AiGatewayPool", name, {}, opts);
    const { environment, accountId } = args.site;
    const only = environment === "production" ? null : environment;
    this.entries = Object.fromEntries(
      args.gateways.map((entry) => {
        const { pii, spendLimits } = args;
        const gateway = new AiGateway(entry.id, { accountId, gatewayId: entry.id, pii, spendLimits }, { parent: this });
        const record = new DatabaseRecord(
          `ai-gateway-${entry.id}`,
          {
            table: "tenantry.ai_gateways",
            key: { gateway_id: gateway.gatewayId },
            values: { environment: entry.environment ?? only, enabled: entry.enabled, max_instances: entry.capacity },
            takeOver: args.takeOver?.has(entry.id),
          },
          { parent: this },
        );
        return [entry.id, record.recordId];
      }),
    );
    this.registerOutputs({});
  }
}
