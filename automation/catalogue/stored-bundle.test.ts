import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { contentHash } from "@tenantry/cloudflare-client/content";
import { afterAll, beforeAll, expect, test } from "vitest";
import { keptBundle } from "#workers/contracts/stored-bundle.ts";
import { readStoredBundle, serializeBundle } from "#workers/stored-bundle.ts";
import { writeBundle } from "./bundles.ts";

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "kept-bundle-"));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function bundle(name: string, code: string) {
  const path = mkdtempSync(join(directory, `${name}-`));
  writeFileSync(join(path, "index.js"), code);
  const reported = { mainModule: "index.js", compatibilityDate: "2026-11-01", compatibilityFlags: ["nodejs_compat"] };
  return { path, contentHash: contentHash(path), ...reported };
}

test("is read unchanged when two processes write it", async () => {
  const given = bundle("own", "export default {}");
  const kept = keptBundle.parse(JSON.parse(JSON.stringify(serializeBundle(given))));
  const to = join(directory, "kept");
  await Promise.all([writeBundle(to, kept), writeBundle(to, kept)]);
  expect(await readStoredBundle(to)).toEqual({ ...given, path: join(to, "modules") });
});

test("is rejected when its modules do not match its record", async () => {
  const kept = serializeBundle(bundle("changed", "export default 1"));
  const to = join(directory, "changed");
  await writeBundle(to, kept);
  writeFileSync(join(to, "modules/index.js"), "export default 2");
  await expect(readStoredBundle(to)).rejects.toThrow(/do not match the hash/);
  await expect(readStoredBundle(join(directory, "nowhere"))).rejects.toThrow(/is not a stored bundle/);
});

test("is rejected when a module's path leaves the bundle", () => {
  const kept = serializeBundle(bundle("outside", "export default 1"));
  for (const name of ["../index.js", "a/../../b.js", "/etc/passwd", ".hidden"]) {
    expect(keptBundle.safeParse({ ...kept, modules: { [name]: "AA==" } }).success).toBe(false);
  }
});
