/** Which gateway wrote a backup's state, and an image that has an older one. */
import { expect, test } from "vitest";
import { addNote, alter, backUp, running, told } from "../testing/backup-tenant.ts";
import { GATEWAY, openUpgraded } from "../testing/upgraded-tenant.ts";

test("a backup tells which gateway wrote the state, in its manifest and in the list; one that does not is a backup all the same", async () => {
  const { tenant } = await openUpgraded({ version: "1.2.3" });
  await running(tenant);
  await addNote(tenant, "kept");
  const { id, archive } = await backUp(tenant);
  const gateway = { name: GATEWAY, version: "1.2.3" };
  expect(archive.gateway).toEqual(gateway);
  expect((await told(tenant)).backups[0]).toMatchObject({ id, gateway });
  // As an earlier image has it.
  await alter(tenant, `backups/${id}/manifest.json`, (bytes) => {
    const { archive: told, ...manifest } = JSON.parse(bytes.toString());
    return Buffer.from(JSON.stringify({ ...manifest, archive: { ...told, gateway: undefined } }));
  });
  expect((await told(tenant)).backups.map((backup) => backup.id)).toContain(id);
});
