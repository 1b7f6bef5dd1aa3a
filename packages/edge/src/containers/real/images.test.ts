import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sourcesHash } from "./images.ts";

test("changes the hash of sources with a file in a folder, not with a test", () => {
  const directory = mkdtempSync(join(tmpdir(), "image-sources-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  mkdirSync(join(directory, "scripts"));
  writeFileSync(join(directory, "Dockerfile"), "FROM scratch");
  writeFileSync(join(directory, "scripts/run.mjs"), "1");
  const first = sourcesHash(directory);
  writeFileSync(join(directory, "scripts/run.test.mjs"), "2");
  expect(sourcesHash(directory)).toBe(first);
  writeFileSync(join(directory, "scripts/run.mjs"), "3");
  expect(sourcesHash(directory)).not.toBe(first);
});
