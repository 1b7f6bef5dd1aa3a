import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Storage } from "../storage.ts";
import { createScratch } from "../workerd/workerd.ts";

let shared: Promise<Storage> | undefined;

/** Returns storage that all tests of this process share. It ends with the process. */
export function sharedStorage(): Promise<Storage> {
  shared ??= Storage.start({
    directory: mkdtempSync(join(tmpdir(), "edge-storage-")),
    scratch: createScratch(),
    log: () => {},
  });
  return shared;
}
