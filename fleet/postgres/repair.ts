/** Brings the schema of a platform's database back to what this release declares, while the platform runs. */
import { databaseUrl } from "#database/connection/address.ts";
import { inspectSchema } from "#database/schema/inspect.ts";
import { upgradeSchema } from "#database/schema/upgrade.ts";
import { refuseOtherVersion } from "#database/schema/version.ts";
import { asOwner, type DatabaseOptions, ownerAddress } from "./owner-database.ts";

/** @throws Error with one sentence, also where the schema is of another version; the database is as it was then */
export async function repair(options: DatabaseOptions): Promise<void> {
  const { say } = options;
  const address = await ownerAddress(options);
  const findings = () =>
    asOwner(address, async (client) => {
      await client.query("begin read only");
      // Another version's schema is for `pulumi up` to bring up to date, with all that goes with it.
      await refuseOtherVersion(client, "tenants");
      return (await inspectSchema(client)).findings;
    });
  const before = await findings();
  if (before.length === 0) {
    say("Nothing to repair: the schema is as this version declares it.");
    return;
  }
  await upgradeSchema(databaseUrl(address));
  const left = await findings();
  for (const finding of before.filter((one) => !left.includes(one))) say(`Repaired: ${finding}`);
  if (left.length > 0) throw new Error(`Not repaired: ${left.join(" ")}`);
}
