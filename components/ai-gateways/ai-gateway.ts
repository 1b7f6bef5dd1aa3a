import { AiGateway as DeclaredGateway } from "@pulumi/cloudflare/aiGateway.js";
import * as pulumi from "@pulumi/pulumi";
import { type AiSpendLimits, spendLimits } from "./spend-limits.ts";

/** What is filtered out of provider traffic. */
export interface PiiFilter {
  /** What happens to traffic that matches. */
  action: "FLAG" | "BLOCK";
  /** Ids of data loss prevention profiles. */
  profiles: string[];
}

export interface AiGatewayArgs {
  accountId: pulumi.Input<string>;
  /** Id of the gateway, at most 64 characters. */
  gatewayId: string;
  pii: pulumi.Input<PiiFilter>;
  spendLimits: pulumi.Input<AiSpendLimits>;
  /** What comes before it. Default: nothing. */
  after?: pulumi.Resource[];
}

/**
 * An AI gateway that demands a token, keeps logs, limits what each tenant spends and filters PII (spec: "a shared AI gateway that
 * also performs PII filtering on provider traffic").
 *
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
        // An agent's answers are its own: nothing of one conversation may be served to another from a cache.
        cacheInvalidateOnUpdate: true,
        cacheTtl: 0,
        rateLimitingInterval: 0,
        rateLimitingLimit: 0,
        // Conversations go to no bucket, collector or classifier: defaults, but what is not declared is not put back.
        logpush: false,
        otels: [],
        logClassification: false,
        // Both matter only with Cloudflare's unified billing.
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
