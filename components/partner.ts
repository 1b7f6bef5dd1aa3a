import * as pulumi from "@pulumi/pulumi";
import type { PartnerSettings } from "../stack/settings.ts";
import { DatabaseRecord } from "./resources/database-record.ts";

export interface PartnerArgs {
  settings: PartnerSettings;
  /** Whether another stack's may be taken over. Default: false. */
  takeOver?: boolean;
}

/**
 * An organization that owns clients.
 *
 * @example
 * ```ts
 * const globex = new Partner("globex", { settings: { slug: "globex", name: "Globex", style: {} } });
 * ```
 */
export class Partner extends pulumi.ComponentResource {
  /** The partner's id in the database. */
  readonly partnerId: pulumi.Output<string>;

  constructor(name: string, { settings, takeOver }: PartnerArgs, opts?: pulumi.ComponentResourceOptions) {
    super("tenantry:components:Partner", name, {}, opts);
    const record = new DatabaseRecord(
      `partner-${name}`,
      {
        table: "tenantry.partners",
        key: { slug: settings.slug },
        values: { name: settings.name },
        // Branding is edited in the dashboard once the partner is there.
        initial: { style: settings.style },
        takeOver,
      },
      { parent: this },
    );
    this.partnerId = record.recordId;
    this.registerOutputs({ partnerId: this.partnerId });
  }
}
