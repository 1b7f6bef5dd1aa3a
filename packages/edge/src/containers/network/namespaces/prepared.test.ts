import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { probeNetwork } from "../probe.ts";
import { createNamespace } from "./namespace.ts";
import { takeNamespace } from "./prepared.ts";

const probed = await probeNetwork();
if (probed.kind === "shared") console.warn(`SKIPPED: namespaces, which this machine does not allow: ${probed.reason}`);
const USED = ["sh", "ip", "unshare", "nsenter"];

/** Calls with the programs of a machine that cannot listen on every port. */
async function onOtherMachine<T>(call: () => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), "path-"));
  for (const name of USED) {
    const found = execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" });
    symlinkSync(found.trim(), join(directory, name));
  }
  vi.stubEnv("PATH", directory);
  try {
    return await call();
  } finally {
    vi.unstubAllEnvs();
    rmSync(directory, { recursive: true, force: true });
  }
}

describe.skipIf(probed.kind === "shared")("a namespace", () => {
  test("listens on every port where the machine allows it, else on the given ones", async () => {
    const usual = await createNamespace([53, 80, 7_080]);
    const other = await onOtherMachine(() => createNamespace([53, 80, 7_080]));
    expect(other.listeners.map(({ port }) => port)).toEqual([53, 80, 7_080]);
    const ports = usual.listeners.map(({ port }) => port);
    // Without Perl or iptables, as on the other machine.
    expect([
      ["every", 53],
      [53, 80, 7_080],
    ]).toContainEqual(ports);
    usual.close();
    other.close();
  });

  test("is created when the prepared one does not listen on a port", async () => {
    const taken = await onOtherMachine(async () => {
      const first = await takeNamespace();
      first.close();
      return takeNamespace([7_080]);
    });
    expect(taken.listeners.map(({ port }) => port)).toContain(7_080);
    taken.close();
  });
});
