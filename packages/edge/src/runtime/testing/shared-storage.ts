/** A process that keeps the buckets and namespaces of all tests of this one; it ends with this one. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Storage } from "../storage.ts";
import { createScratch } from "../workerd/workerd.ts";

let shared: Promise<Storage> | undefined;

export function sharedStorage(): Promise<Storage> {
  shared ??= Storage.start({
    directory: mkdtempSync(join(tmpdir(), "tenantry-storage-")),
    scratch: createScratch(),
    log: () => {},
  });
  return shared;
}
