/** What an uploaded archive must not have. */
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { tarEnd } from "../../container/tar.mjs";
import { entry, tarOf } from "../../testing/archives.ts";
import { checkArchive, unpackedLimit } from "./archive-check.ts";

const check = (tar: Buffer, size = 1) => checkArchive(streamOf(tar), size);

async function* streamOf(tar: Buffer) {
  for (let at = 0; at < tar.length; at += 7_000) yield tar.subarray(at, at + 7_000);
}

test("describes an archive as the container's own script does", async () => {
  const tar = tarOf(
    entry("file", ".tenantry-gateway.json", '{"name":"openclaw","version":"2026.9.6","more":1}'),
    entry("directory", "a/"),
    entry("file", "a/one", "x".repeat(5_000)),
    entry("hardlink", "a/two", "", { target: "a/one" }),
    entry("link", "a/three", "", { target: "../a/one" }),
    entry("link", "four", "", { target: "/workspace/state/a/../a" }),
  );
  expect(await check(tar)).toEqual({
    state: "state-1",
    gateway: { name: "openclaw", version: "2026.9.6" },
    files: 2,
    unpackedSize: 4096 * 2 + 4096 + 8192,
  });
});

const FAULTS: Record<string, readonly [Buffer, string]> = {
  "an absolute path": [tarOf(entry("file", "/etc/passwd", "x")), "outside the state"],
  "a path with dots": [tarOf(entry("file", "a/../../b", "x")), "outside the state"],
  "a path with NUL": [tarOf(entry("file", `${"a".repeat(101)}\0b`, "x")), "outside the state"],
  "an absolute link": [tarOf(entry("link", "a", "", { target: "/etc" })), "leads outside the state"],
  "an absolute link through the state": [
    tarOf(entry("link", "a", "", { target: "/workspace/state/../run" })),
    "leads outside the state",
  ],
  "a link with dots": [tarOf(entry("link", "a/b", "", { target: "../../c" })), "leads outside the state"],
  "a link with dots in the middle": [tarOf(entry("link", "b", "", { target: "a/../../b" })), "leads outside the state"],
  "a hard link outside": [tarOf(entry("hardlink", "a", "", { target: "/etc/passwd" })), "not in the archive"],
  "a file below a link": [tarOf(entry("link", "a", "", { target: "b" }), entry("file", "a/c", "x")), "has two entries"],
  "a file below a file": [tarOf(entry("file", "a", "x"), entry("file", "a/c", "x")), "has two entries"],
  "a file twice": [tarOf(entry("file", "a", "x"), entry("file", "a", "y")), "has two entries"],
  "a long name": [tarOf(entry("file", "a".repeat(300), "x")), "too long"],
  "no id of a state": [Buffer.concat([entry("file", "a", "x"), tarEnd()]), "no backup of a tenant"],
  "data after its end": [Buffer.concat([tarOf(), Buffer.alloc(10_000, 1)]), "data after its end"],
  "no end": [tarOf().subarray(0, -1024), "truncated"],
};

test.for(Object.entries(FAULTS))("refuses an archive with %s", async ([, [tar, fault]]) => {
  await expect(check(tar)).rejects.toThrow(fault);
});

test.for(["3", "4", "6"])("refuses a device or FIFO, type %s", async (type) => {
  await expect(check(tarOf(entry("file", "null", "", { flag: type })))).rejects.toThrow("a device or a FIFO");
});

test("refuses an archive that expands too much, before all of it is unpacked", async () => {
  let read = 0;
  async function* endless() {
    yield tarOf(entry("file", "zeros", "", { size: 1e12 })).subarray(0, -1024);
    for (;;) {
      read += 1_000_000;
      yield Buffer.alloc(1_000_000);
    }
  }
  await expect(checkArchive(endless(), 1000)).rejects.toThrow("expands to more than");
  expect(read).toBeLessThanOrEqual(unpackedLimit(1000) + 1_000_000);
});

test("refuses too many entries", async () => {
  async function* many() {
    yield tarOf().subarray(0, -1024);
    for (let i = 0; i < 3; i += 1) yield entry("file", `f${i}`);
  }
  await expect(checkArchive(many(), 1, 3)).rejects.toThrow("more than 3 entries");
});

test("permits the expansion of real archives", () => {
  expect(unpackedLimit(gzipSync(tarOf()).length)).toBeGreaterThan(10_000_000);
  expect(unpackedLimit(100_000_000)).toBe(4_000_000_000);
});
