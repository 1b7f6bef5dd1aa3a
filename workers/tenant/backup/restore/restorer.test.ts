import { expect, test } from "vitest";
import type { ArchiveInfo } from "#workers/contracts/tenant/sandbox.ts";
import { Restorer, type RestorerOptions } from "./restorer.ts";

const archive: ArchiveInfo = { state: "state-1", size: 1, sha256: "0".repeat(64), files: 1 };
const backup = { id: "one", createdAt: new Date(), bytes: 1, state: "state-1" };

/** A restorer whose sandbox reports a checksum mismatch. */
function altered(isIntactInBucket: boolean): { restorer: Restorer; aside: string[] } {
  const aside: string[] = [];
  const options: RestorerOptions = {
    sandbox: { restoreArchive: async () => ({ outcome: "altered" }), getVersions: async () => ({ age: "unknown" }) },
    store: {
      open: async () => ({ archive, body: new ReadableStream() }),
      isIntact: async () => isIntactInBucket,
      markDamaged: async (id) => void aside.push(id),
      countDownload: () => {},
    },
    attempts: { permits: async () => true, recordFailure: async () => {}, forget: async () => {} },
    unexpected: { recordDamaged: async () => {} },
    troubles: { current: async () => undefined, report: async () => true, clear: async () => {} },
    countFailure: () => {},
    onStateLost: () => {},
    record: () => {},
  };
  return { restorer: new Restorer(options), aside };
}

test("fails temporarily when an archive was altered during its transfer", async () => {
  const { restorer, aside } = altered(true);
  await expect(restorer.restore([backup])).rejects.toThrow("during its transfer");
  expect(aside).toEqual([]);
});

test("marks a backup as damaged when its archive was altered in the bucket", async () => {
  const { restorer, aside } = altered(false);
  expect(await restorer.restore([backup])).toEqual({ outcome: "none" });
  expect(aside).toEqual(["one"]);
});
