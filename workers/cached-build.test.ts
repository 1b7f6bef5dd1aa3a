import { mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { hashFiles } from "./cached-build.ts";

function sources(): string {
  const root = mkdtempSync(join(tmpdir(), "sources-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  writeFileSync(join(root, "one.ts"), "1");
  return root;
}

const hashOf = (root: string) => hashFiles(root, ["one.ts"], []);

test("a hash changes with a file of the same size, immediately after another change", () => {
  const root = sources();
  const first = hashOf(root);
  writeFileSync(join(root, "one.ts"), "2");
  const second = hashOf(root);
  writeFileSync(join(root, "one.ts"), "1");
  expect(second).not.toBe(first);
  expect(hashOf(root)).toBe(first);
});

test("a hash changes with a file that was read long after its last change, also when its time is set back", () => {
  const root = sources();
  const { atime, mtime } = statSync(join(root, "one.ts"));
  vi.useFakeTimers({ now: Date.now() + 60_000, toFake: ["Date"] });
  const first = hashOf(root);
  writeFileSync(join(root, "one.ts"), "2");
  utimesSync(join(root, "one.ts"), atime, mtime);
  expect(hashOf(root)).not.toBe(first);
});
