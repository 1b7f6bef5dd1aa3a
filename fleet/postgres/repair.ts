import { databaseUrl } from "#database/connection/address.ts";
import { inspectSchema } from "#database/schema/inspect.ts";
import { upgradeSchema } from "#database/schema/upgrade.ts";
import { refuseOtherVersion } from "#database/schema/version.ts";
import type { PlatformOptions } from "../options.ts";
import { asOwner, ownerAddress } from "./owner-database.ts";

/** Restores the schema of a running platform's database. @throws Error without a change, also for another version */
export async function repairDatabase(options: PlatformOptions): Promise<void> {
  const { say } = options;
  const address = await ownerAddress(options);
  const findings = () =>
    asOwner(address, async (client) => {
      await client.query("begin read only");
      // `pulumi up` upgrades the schema of another version, with the platform's resources.
      await refuseOtherVersion(client, "tenants");
      return (await inspectSchema(client)).findings;
    });
  const before = await findings();
  if (before.length === 0) {
    say("Nothing to repair: the schema matches this version.");
    return;
  }
  await upgradeSchema(databaseUrl(address));
  const left = await findings();
  for (const finding of before.filter((one) => !left.includes(one))) say(`Repaired: ${finding}`);
  if (left.length > 0) throw new Error(`Failed to repair: ${left.join(" ")}`);
}
