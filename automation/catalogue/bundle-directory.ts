import { existsSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { BUNDLE_MODULES, BUNDLE_RECORD, type KeptBundle } from "#workers/contracts/kept-bundle.ts";

/** Writes a stored bundle to a directory atomically. Keeps an existing directory. */
export async function writeBundle(directory: string, { modules, ...record }: KeptBundle): Promise<void> {
  if (existsSync(directory)) return;
  const staging = `${directory}.${process.pid}.${crypto.randomUUID()}`;
  try {
    for (const [name, bytes] of Object.entries(modules)) {
      const file = join(staging, BUNDLE_MODULES, name);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, Buffer.from(bytes, "base64"));
    }
    await writeFile(join(staging, BUNDLE_RECORD), JSON.stringify(record));
    await rename(staging, directory);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    if (!existsSync(directory)) throw error;
  }
}
