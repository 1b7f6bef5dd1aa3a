import { AiGateway as DeclaredGateway } from "@pulumi/cloudflare/aiGateway.js";
import * as pulumi from "@pulumi/pulumi";
import { type AiSpendLimits, spendLimits } from "./spend-limits.ts";

export interface PiiFilter {
  action: "FLAG" | "BLOCK";
  profiles: string[];
}

export interface AiGatewayArgs {
  accountId: pulumi.Input<string>;
  /** Id of the gateway, at most 64 characters. */
  gatewayId: string;
  pii: pulumi.Input<PiiFilter>;
  spendLimits: pulumi.Input<AiSpendLimits>;
  /** Resources to create first. Default: none. */
  after?: pulumi.Resource[];
}

/**
 * An AI gateway that requires a token, logs requests, limits the spend of each tenant and filters personal data.
 * @example
 * ```ts
 * new AiGateway("pool-a", { accountId, gatewayId: "pool-a", pii: { action: "FLAG", profiles: [financialInformation] }, spendLimits });
 * ```
 */
export class AiGateway extends pulumi.ComponentResource {
  readonly gatewayId: pulumi.Output<string>;

  constructor(name: string, args: AiGatewayArgs, opts?: pulumi.ComponentResourceOptions) {
    super("tenantry:components:AiGateway", name, {}, opts);
    const pii = pulumi.output(args.pii);
    const gateway = new DeclaredGateway(
      name,
      {
        accountId: args.accountId,
        aiGatewayId: args.gatewayId,
        authentication: true,
        collectLogs: true,
        // A cached response of one conversation must not be returned in another.
        cacheInvalidateOnUpdate: true,
        cacheTtl: 0,
        rateLimitingInterval: 0,
        rateLimitingLimit: 0,
        // These are the defaults, declared so that drift is corrected: conversations leave the gateway for no other service.
        logpush: false,
        otels: [],
        logClassification: false,
        // Effective only with Cloudflare's unified billing.
        zdr: false,
        byokOnly: false,
        spendLimits: pulumi.output(args.spendLimits).apply(spendLimits),
        dlp: { enabled: true, action: pii.action, profiles: pii.profiles },
      },
      { parent: this, dependsOn: args.after ?? [] },
    );
    this.gatewayId = gateway.aiGatewayId;
    this.registerOutputs({ gatewayId: this.gatewayId });
  }
}
