import * as pulumi from "@pulumi/pulumi";
import type { EgressPolicy } from "#domain/egress/policy-types.ts";
import { DatabaseRecord } from "./resources/database-record.ts";

export interface PartnerArgs {
  slug: string;
  displayName: string;
  style: Readonly<Record<string, unknown>>;
  /** What its clients' containers may reach; null states nothing. Default: unchanged. */
  egress?: EgressPolicy | null | undefined;
  /** Whether another stack's row may be taken over. Default: false. */
  takeOver?: boolean;
}

/**
 * An organization that owns clients.
 * @example
 * ```ts
 * const globex = new Partner("globex", { slug: "globex", displayName: "Globex", style: {} });
 * ```
 */
export class Partner extends pulumi.ComponentResource {
  readonly partnerId: pulumi.Output<string>;

  constructor(
    name: string,
    { slug, displayName, style, egress, takeOver }: PartnerArgs,
    opts?: pulumi.ComponentResourceOptions,
  ) {
    super("tenantry:components:Partner", name, {}, opts);
    const record = new DatabaseRecord(
      `partner-${name}`,
      {
        table: "tenantry.partners",
        key: { slug },
        values: { name: displayName, ...(egress !== undefined && { egress }) },
        // Users edit the branding in the dashboard.
        initial: { style },
        takeOver,
      },
      { parent: this },
    );
    this.partnerId = record.recordId;
    this.registerOutputs({ partnerId: this.partnerId });
  }
}
