import { R2Bucket } from "@pulumi/cloudflare/r2bucket.js";
import { R2BucketLifecycle } from "@pulumi/cloudflare/r2bucketLifecycle.js";
import * as pulumi from "@pulumi/pulumi";
import { sha256 } from "@tenantry/cloudflare-client/content";
import { ofTwo, type Rotation } from "#domain/rotation.ts";
import { accountToken } from "./account-token.ts";
import { rotating } from "./rotating.ts";

const DAY_SECONDS = 24 * 60 * 60;
/** Cloudflare's own default, which declared rules take the place of. */
const UNFINISHED_UPLOAD_DAYS = 7;

export interface BackupBucketArgs {
  accountId: pulumi.Input<string>;
  /** Name of the bucket, at most 63 characters. */
  bucketName: string;
  /** Days after which a backup object expires. */
  retentionDays: pulumi.Input<number>;
  /** Whether destroying the stack leaves the bucket and what is in it. Default: true. */
  keepOnDestroy?: boolean;
  /** Import id of the bucket where one is there that is to be had as it is. Default: it is made. */
  adopt?: string | undefined;
  /** What is made before the bucket. Default: nothing. */
  after?: pulumi.Resource[];
  /**
   * For credentials of that bucket alone: the names of the API tokens that hold them, of which there are two during a rotation, and the
   * permission group that may read and write a bucket's objects. Default: none are made.
   */
  credentials?:
    | {
        tokenNames: readonly [string, string];
        rotation: Rotation | undefined;
        objectWritePermission: pulumi.Input<string>;
      }
    | undefined;
}

/** What S3 clients log in with. */
export interface BucketCredentials {
  /** S3 access key id: the id of the bucket's API token. */
  accessKeyId: pulumi.Output<string>;
  /** S3 secret access key: SHA-256 of the token's value (Cloudflare: "R2 authentication"). A secret. */
  secretAccessKey: pulumi.Output<string>;
}

/**
 * Where one tenant's backups lie.
 *
 * @example
 * ```ts
 * const backups = new BackupBucket("acme", {
 *   accountId, bucketName: "tenantry-backups-acme", retentionDays: 30,
 * });
 * ```
 */
export class BackupBucket extends pulumi.ComponentResource {
  readonly bucketName: pulumi.Output<string>;
  /** Days after which a backup object expires. */
  readonly retentionDays: pulumi.Output<number>;
  readonly credentials: BucketCredentials | undefined;

  constructor(name: string, args: BackupBucketArgs, opts?: pulumi.ComponentResourceOptions) {
    const { accountId, bucketName, keepOnDestroy = true } = args;
    // The engine tells policies nothing of what is retained (`policy/rules/backup-buckets.ts`).
    super("tenantry:components:BackupBucket", name, { bucketName, keepOnDestroy }, opts);
    const kept = { parent: this, retainOnDelete: keepOnDestroy, dependsOn: args.after ?? [] };
    const bucketOptions = {
      ...kept,
      ...(args.adopt === undefined ? {} : { import: args.adopt }),
      // Where it lies is Cloudflare's choice; an adopted one must not be replaced for telling it.
      ignoreChanges: ["jurisdiction", "location", "storageClass"],
    };

    this.retentionDays = pulumi.output(args.retentionDays);
    const bucket = new R2Bucket(name, { accountId, name: bucketName }, bucketOptions);
    new R2BucketLifecycle(
      name,
      {
        accountId,
        bucketName: bucket.name,
        rules: [
          {
            id: "expire-backups",
            enabled: true,
            conditions: { prefix: "backups/" },
            deleteObjectsTransition: {
              condition: { type: "Age", maxAge: this.retentionDays.apply((days) => days * DAY_SECONDS) },
            },
          },
          {
            id: "abort-unfinished-uploads",
            enabled: true,
            conditions: { prefix: "" },
            abortMultipartUploadsTransition: {
              condition: { type: "Age", maxAge: UNFINISHED_UPLOAD_DAYS * DAY_SECONDS },
            },
          },
        ],
      },
      kept,
    );

    this.bucketName = bucket.name;
    this.credentials = args.credentials && this.#credentials(name, args, args.credentials);
    this.registerOutputs({ bucketName: this.bucketName });
  }

  #credentials(
    name: string,
    { accountId, bucketName }: BackupBucketArgs,
    { tokenNames, rotation, objectWritePermission }: NonNullable<BackupBucketArgs["credentials"]>,
  ): BucketCredentials {
    const { used: token } = rotating(name, rotation, (slot, version) =>
      accountToken(
        slot,
        {
          accountId,
          displayName: ofTwo(version, tokenNames),
          permission: objectWritePermission,
          resource: (account) => `com.cloudflare.edge.r2.bucket.${account}_default_${bucketName}`,
        },
        { parent: this },
      ),
    );
    return { accessKeyId: token.id, secretAccessKey: pulumi.secret(token.value.apply(sha256)) };
  }
}
