/** Vitest's test, which opens tenants: each ends with the test that opened it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as base } from "vitest";
import { type OpenTenant, startTenant } from "./harness.ts";
import { openProxied } from "./proxied-tenant.ts";
import { openUpgraded } from "./upgraded-tenant.ts";

export const test = base
  // A directory of the test's own, gone when it ends.
  .extend("directory", ({ onTestFinished }) => {
    const directory = mkdtempSync(join(tmpdir(), "tenant-test-"));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    return directory;
  })
  .extend(
    "openTenant",
    ({ onTestFinished }): OpenTenant =>
      async (gatewayCommand, options) => {
        const tenant = await startTenant(gatewayCommand, options);
        onTestFinished(() => tenant.stop());
        return tenant;
      },
  )
  .extend("openProxied", openProxied)
  .extend("openUpgraded", openUpgraded);
