import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LocalWorkspace } from "@pulumi/pulumi/automation/index.js";
import { quickStack } from "@tenantry/automation-api";
import { expect, onTestFinished, test } from "vitest";
import { listStacks } from "#automation/engine/state/backend.ts";
import { lockHolders } from "#automation/engine/state/recovery.ts";
import { exportState } from "#automation/engine/state/scratch-backend.ts";
import { startS3 } from "#automation/engine/testing/s3-stand-in.ts";

test("stores states in a bucket through the S3 interface, locked during a run and retained afterwards", async () => {
  const s3 = await startS3();
  const workDir = mkdtempSync(join(tmpdir(), "tenantry-s3-"));
  onTestFinished(async () => {
    await s3.close();
    rmSync(workDir, { recursive: true });
  });
  const variables = {
    PULUMI_BACKEND_URL: s3.backendUrl,
    PULUMI_CONFIG_PASSPHRASE: "of a test",
    AWS_ACCESS_KEY_ID: "id",
    AWS_SECRET_ACCESS_KEY: "secret",
  };
  const keys = (within: string) =>
    [...s3.objects.keys()].filter((key) => key.startsWith(`.pulumi/${within}`)).toSorted();
  let value = 1;
  let locksMeanwhile: string[] = [];
  const program = async () => {
    locksMeanwhile = keys("locks/");
    return { value };
  };
  const declared = { stackName: "prod-acme", projectName: "tenantry", program };
  const stack = quickStack(await LocalWorkspace.createStack(declared, { workDir, envVars: variables }));
  await stack.up();
  expect(locksMeanwhile).toEqual([
    expect.stringMatching(/^\.pulumi\/locks\/organization\/tenantry\/prod-acme\/[0-9a-f-]{36}\.json$/),
  ]);
  expect(keys("locks/")).toEqual([]);
  const before = s3.objects.get(".pulumi/stacks/tenantry/prod-acme.json");
  value = 2;
  await stack.up();

  // The copy after the first run is the state before the second.
  const backups = keys("backups/tenantry/prod-acme/");
  expect(backups).toHaveLength(2);
  expect(s3.objects.get(backups[0] ?? "")).toEqual(before);
  expect(keys("history/tenantry/prod-acme/")).toHaveLength(4);
  expect(await listStacks(variables)).toMatchObject([{ name: "prod-acme" }]);
  expect((await exportState("prod-acme", variables))?.deployment.resources).toMatchObject([{ outputs: { value: 2 } }]);

  // Another run's lock blocks a run, and names its owner.
  const holder = { pid: 1, username: "runner", hostname: "elsewhere", timestamp: "2026-11-01T00:00:00Z" };
  s3.objects.set(".pulumi/locks/organization/tenantry/prod-acme/other.json", Buffer.from(JSON.stringify(holder)));
  const refusal = await stack.up().then(
    () => "",
    (error: Error) => error.message,
  );
  expect(lockHolders(refusal)).toContainEqual(holder);
  await stack.cancel();
  expect(keys("locks/")).toEqual([]);
});
