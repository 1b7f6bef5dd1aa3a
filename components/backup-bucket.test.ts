import { createHash } from "node:crypto";
import { isSecret } from "@pulumi/pulumi";
import { expect, test } from "vitest";
import { BackupBucket } from "./backup-bucket.ts";
import { declare, only, resolved } from "./testing/declared.ts";

const args = { accountId: "account", bucketName: "tenantry-backups-acme", retentionDays: 30 };

test("creates a bucket whose backups expire, without credentials", async () => {
  const { declared, result } = await declare(() => new BackupBucket("acme", args));
  expect(only(declared, "R2Bucket").inputs).toMatchObject({ name: "tenantry-backups-acme" });
  expect(only(declared, "R2BucketLifecycle").inputs.rules).toMatchObject([
    {
      enabled: true,
      conditions: { prefix: "backups/" },
      deleteObjectsTransition: { condition: { maxAge: 2_592_000 } },
    },
    {
      enabled: true,
      conditions: { prefix: "inbox/" },
      deleteObjectsTransition: { condition: { maxAge: 5_184_000 } },
    },
    {
      enabled: true,
      conditions: { prefix: "" },
      abortMultipartUploadsTransition: { condition: { maxAge: 604_800 } },
    },
  ]);
  expect(declared.some(({ type }) => type.endsWith(":AccountToken"))).toBe(false);
  expect(result.credentials).toBeUndefined();
});

test("creates S3 credentials for the bucket only, when they are requested", async () => {
  const credentials = {
    rotation: undefined,
    tokenNames: ["Backups of acme", "Backups (second) of acme"] as const,
    objectWritePermission: "write",
  };
  const { declared, result } = await declare(() => new BackupBucket("acme", { ...args, credentials }));
  const made = result.credentials;
  if (made === undefined) throw new Error("no credentials");
  const { policies } = only(declared, "AccountToken").inputs as { policies: { resources: string }[] };
  expect(policies).toHaveLength(1);
  expect(JSON.parse(policies[0]?.resources ?? "")).toEqual({
    "com.cloudflare.edge.r2.bucket.account_default_tenantry-backups-acme": "*",
  });
  expect(await resolved(made.accessKeyId)).toBe("id-of-acme");
  expect(await isSecret(made.secretAccessKey)).toBe(true);
  expect(await resolved(made.secretAccessKey)).toBe(createHash("sha256").update("value-of-acme").digest("hex"));
});
