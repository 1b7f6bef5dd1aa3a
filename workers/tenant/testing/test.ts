/** Tests that open tenants. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as base } from "vitest";
import { type OpenTenant, startTenant } from "./harness.ts";
import { openProxied } from "./proxied-tenant.ts";
import { openUpgraded } from "./upgraded-tenant.ts";

/** @param onFinished of the test or file whose tenants these are */
const opening =
  (onFinished: (end: () => Promise<void>) => void): OpenTenant =>
  async (gatewayCommand, options) => {
    const tenant = await startTenant(gatewayCommand, options);
    onFinished(() => tenant.stop());
    return tenant;
  };

/** Vitest's test with tenants: each ends with the test that opened it, or with the file. */
export const test = base
  // A directory of the test's own, gone when it ends.
  .extend("directory", ({ onTestFinished }) => {
    const directory = mkdtempSync(join(tmpdir(), "tenant-test-"));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    return directory;
  })
  .extend("openTenant", ({ onTestFinished }) => opening(onTestFinished))
  .extend("openProxied", openProxied)
  .extend("openUpgraded", openUpgraded)
  // As `onTestFinished`, of the file; what was begun last ends first.
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which fixtures this one needs
  .extend("onFileFinished", { scope: "file" }, ({}, { onCleanup }) => {
    const endings = new AsyncDisposableStack();
    onCleanup(() => endings.disposeAsync());
    return (end: () => void | Promise<void>) => endings.defer(end);
  })
  // For a tenant that the tests of a file share.
  .extend("openFileTenant", { scope: "file" }, ({ onFileFinished }) => opening(onFileFinished));
