import * as pulumi from "@pulumi/pulumi";
import { DatabaseRecord } from "./resources/database-record.ts";

export interface PartnerArgs {
  slug: string;
  /** Name shown to people. */
  displayName: string;
  /** Branding that it begins with. */
  style: Readonly<Record<string, unknown>>;
  /** Whether another stack's may be taken over. Default: false. */
  takeOver?: boolean;
}

/**
 * An organization that owns clients.
 *
 * @example
 * ```ts
 * const globex = new Partner("globex", { slug: "globex", displayName: "Globex", style: {} });
 * ```
 */
export class Partner extends pulumi.ComponentResource {
  /** The partner's id in the database. */
  readonly partnerId: pulumi.Output<string>;

  constructor(
    name: string,
    { slug, displayName, style, takeOver }: PartnerArgs,
    opts?: pulumi.ComponentResourceOptions,
  ) {
    super("tenantry:components:Partner", name, {}, opts);
    const record = new DatabaseRecord(
      `partner-${name}`,
      {
        table: "tenantry.partners",
        key: { slug },
        values: { name: displayName },
        // Branding is edited in the dashboard once the partner is there.
        initial: { style },
        takeOver,
      },
      { parent: this },
    );
    this.partnerId = record.recordId;
    this.registerOutputs({ partnerId: this.partnerId });
  }
}
