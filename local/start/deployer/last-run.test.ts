import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Store } from "@tenantry/edge";
import { putRoute } from "@tenantry/edge/testing/runtime";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { LastRun } from "./last-run.ts";
import type { DeploymentJob } from "./messages.ts";

const OUTPUTS = { tenants: { acme: "acme.tenantry.localhost" }, dashboard: "dash.tenantry.localhost" };

let directory: string;
let account: Store;
let job: DeploymentJob;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "tenantry-test-"));
  account = new Store(join(directory, "account"));
  const settings = join(directory, "settings.yaml");
  writeFileSync(settings, "config: {}");
  write("pulumi/.pulumi/stacks/tenantry/local.json", "{}");
  putRoute(account, "*.tenantry.localhost/*", "dispatch");
  putGroup(["ada@acme.example"]);
  const target = {
    apiUrl: "http://127.0.0.1:1/client/v4",
    apiToken: "token",
    restUrl: "http://127.0.0.1:1/rest/v1",
    serviceRoleKeys: { production: "p", staging: "s", development: "d" },
    databaseUrl: "postgres://127.0.0.1/tenantry",
    aiGatewayUrl: "http://127.0.0.1:1/ai-gateway",
    accessIssuer: "http://team.localhost:1",
    dispatchUrls: {
      production: "http://_dispatch.tenantry.localhost:1",
      staging: "http://_dispatch-staging.tenantry.localhost:1",
      development: "http://_dispatch-dev.tenantry.localhost:1",
    },
    passphrase: "passphrase",
  };
  job = { directory, target, name: "local", settings, vendorPlugins: false };
  new LastRun(job, account).remember(OUTPUTS);
});
afterEach(() => {
  account.close();
  rmSync(directory, { recursive: true, force: true });
});

function write(path: string, content: string): void {
  mkdirSync(join(directory, path, ".."), { recursive: true });
  writeFileSync(join(directory, path), content);
}

function putGroup(emails: string[]): void {
  const stamp = "2026-11-01T00:00:00Z";
  account.put("access_group", {
    id: "group",
    name: "Members of acme.tenantry.localhost",
    include: emails.map((email) => ({ email: { email } })),
    exclude: [],
    require: [],
    created_at: stamp,
    updated_at: stamp,
  });
}

const recalled = (changed: Partial<DeploymentJob> = {}) => new LastRun({ ...job, ...changed }, account).recall();

describe("the last run", () => {
  test("is found while nothing but members of tenants has changed", () => {
    expect(recalled()).toEqual(OUTPUTS);
    putGroup(["ada@acme.example", "ben@acme.example"]);
    expect(recalled()).toEqual(OUTPUTS);
  });

  test.each([
    ["other settings", () => write("settings.yaml", "config: { a: 1 }")],
    ["another state of the stack", () => write("pulumi/.pulumi/stacks/tenantry/local.json", "{ }")],
    ["a run that was cut short", () => write("pulumi/.pulumi/locks/organization/tenantry/local/1.json", "{}")],
    ["an account that was changed", () => account.delete("route", "route *.tenantry.localhost/*")],
    ["a record that was torn", () => write("deployment.json", '{"fingerprint":')],
  ])("is not found after %s", (_, change) => {
    change();
    expect(recalled()).toBeUndefined();
  });

  test("is not found for another address, other plugins, or after it was forgotten", () => {
    expect(recalled({ target: { ...job.target, apiUrl: "http://127.0.0.1:2/client/v4" } })).toBeUndefined();
    expect(recalled({ vendorPlugins: true })).toBeUndefined();
    new LastRun(job, account).forget();
    expect(recalled()).toBeUndefined();
  });

  test("does not include edits during the run", () => {
    const run = new LastRun(job, account);
    write("settings.yaml", "config: { a: 1 }");
    run.remember(OUTPUTS);
    expect(recalled()).toBeUndefined();
  });
});
