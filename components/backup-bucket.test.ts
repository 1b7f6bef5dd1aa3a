import { createHash } from "node:crypto";
import { isSecret } from "@pulumi/pulumi";
import { expect, it } from "vitest";
import { BackupBucket } from "./backup-bucket.ts";
import { declare, only, resolved } from "./testing.ts";

it("makes a bucket whose backups expire, and S3 credentials for that bucket alone", async () => {
  const { declared, result } = await declare(
    () =>
      new BackupBucket("acme", {
        accountId: "account",
        bucketName: "tenantry-backups-acme",
        tokenName: "Backups of acme",
        retentionDays: 30,
        objectWritePermission: "write",
      }),
  );
  expect(only(declared, "R2Bucket").inputs).toMatchObject({ name: "tenantry-backups-acme" });
  expect(only(declared, "R2BucketLifecycle").inputs.rules).toMatchObject([
    {
      enabled: true,
      conditions: { prefix: "backups/" },
      deleteObjectsTransition: { condition: { maxAge: 2_592_000 } },
    },
    {
      enabled: true,
      conditions: { prefix: "" },
      abortMultipartUploadsTransition: { condition: { maxAge: 604_800 } },
    },
  ]);
  const { policies } = only(declared, "AccountToken").inputs as { policies: { resources: string }[] };
  expect(policies).toHaveLength(1);
  expect(JSON.parse(policies[0]?.resources ?? "")).toEqual({
    "com.cloudflare.edge.r2.bucket.account_default_tenantry-backups-acme": "*",
  });
  expect(await resolved(result.accessKeyId)).toBe("id-of-acme");
  expect(await isSecret(result.secretAccessKey)).toBe(true);
  expect(await resolved(result.secretAccessKey)).toBe(createHash("sha256").update("value-of-acme").digest("hex"));
});
