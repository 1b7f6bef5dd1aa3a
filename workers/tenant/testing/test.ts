/** Tests that open tenants. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as base } from "vitest";
import { type OpenTenant, startTenant } from "./harness.ts";
import { openProxied } from "./proxied-tenant.ts";
import { openUpgraded } from "./upgraded-tenant.ts";

/** @param onFinished of the test or file that opens tenants */
const opening =
  (onFinished: (end: () => Promise<void>) => void): OpenTenant =>
  async (gatewayCommand, options) => {
    const tenant = await startTenant(gatewayCommand, options);
    onFinished(() => tenant.stop());
    return tenant;
  };

/** Vitest's test with tenants, which stop with the test or the file that opened them. */
export const test = base
  // A temporary directory of the test.
  .extend("directory", ({ onTestFinished }) => {
    const directory = mkdtempSync(join(tmpdir(), "tenant-test-"));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    return directory;
  })
  .extend("openTenant", ({ onTestFinished }) => opening(onTestFinished))
  .extend("openProxied", openProxied)
  .extend("openUpgraded", openUpgraded)
  // As `onTestFinished`, for the file. Runs in reverse order.
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which fixtures this one needs
  .extend("onFileFinished", { scope: "file" }, ({}, { onCleanup }) => {
    const endings = new AsyncDisposableStack();
    onCleanup(() => endings.disposeAsync());
    return (end: () => void | Promise<void>) => endings.defer(end);
  })
  // Opens a tenant that the tests of a file share.
  .extend("openFileTenant", { scope: "file" }, ({ onFileFinished }) => opening(onFileFinished));
