import { R2Bucket } from "@pulumi/cloudflare/r2bucket.js";
import { R2BucketLifecycle } from "@pulumi/cloudflare/r2bucketLifecycle.js";
import * as pulumi from "@pulumi/pulumi";
import { sha256 } from "@tenantry/cloudflare-client/content";
import { ofTwo, type Rotation } from "#domain/rotation.ts";
import { INBOX_PREFIX } from "#workers/contracts/tenant/inbox.ts";
import { accountToken } from "./account-token.ts";
import { declareRotating } from "./rotating.ts";

const DAY_SECONDS = 24 * 60 * 60;
/** Cloudflare's default, which applies only while no rules are declared. */
const UNFINISHED_UPLOAD_DAYS = 7;
/** Longer than a tenant's Worker stores a message. */
const INBOX_DAYS = 60;

export interface BackupBucketArgs {
  accountId: pulumi.Input<string>;
  /** Name of the bucket, at most 63 characters. */
  bucketName: string;
  /** Days until a backup object expires. */
  retentionDays: pulumi.Input<number>;
  /** Whether the bucket and its objects survive when the stack is destroyed. Default: true. */
  keepOnDestroy?: boolean;
  /** Import id of an existing bucket to adopt. Default: a bucket is created. */
  adopt?: string | undefined;
  /** Resources to create first. Default: none. */
  after?: pulumi.Resource[];
  /** Creates API tokens for this bucket: their two names, used in turn by rotations, and the permission group. Default: none. */
  credentials?:
    | {
        tokenNames: readonly [string, string];
        rotation: Rotation | undefined;
        objectWritePermission: pulumi.Input<string>;
      }
    | undefined;
}

export interface BucketCredentials {
  /** The id of the bucket's API token. */
  accessKeyId: pulumi.Output<string>;
  /** SHA-256 of the token's value (Cloudflare: "R2 authentication"). A secret. */
  secretAccessKey: pulumi.Output<string>;
}

/**
 * The bucket of one tenant's backups.
 * @example
 * ```ts
 * const backups = new BackupBucket("acme", {
 *   accountId, bucketName: "tenantry-backups-acme", retentionDays: 30,
 * });
 * ```
 */
export class BackupBucket extends pulumi.ComponentResource {
  readonly bucket: R2Bucket;
  readonly bucketName: pulumi.Output<string>;
  readonly retentionDays: pulumi.Output<number>;
  readonly credentials: BucketCredentials | undefined;

  constructor(name: string, args: BackupBucketArgs, opts?: pulumi.ComponentResourceOptions) {
    const { accountId, bucketName, keepOnDestroy = true } = args;
    // Policies cannot see `retainOnDelete`; `policy/rules/backup-buckets.ts` reads these inputs instead.
    super("tenantry:components:BackupBucket", name, { bucketName, keepOnDestroy }, opts);
    const options = { parent: this, retainOnDelete: keepOnDestroy, dependsOn: args.after ?? [] };
    const bucketOptions = {
      ...options,
      ...(args.adopt !== undefined && { import: args.adopt }),
      // Cloudflare chooses them; an adopted bucket must not be replaced because of them.
      ignoreChanges: ["jurisdiction", "location", "storageClass"],
    };

    this.retentionDays = pulumi.output(args.retentionDays);
    this.bucket = new R2Bucket(name, { accountId, name: bucketName }, bucketOptions);
    new R2BucketLifecycle(
      name,
      {
        accountId,
        bucketName: this.bucket.name,
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
            // Bodies of messages are deleted with them; this deletes those of an inbox that was lost with its object.
            id: "expire-inbox",
            enabled: true,
            conditions: { prefix: INBOX_PREFIX },
            deleteObjectsTransition: { condition: { type: "Age", maxAge: INBOX_DAYS * DAY_SECONDS } },
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
      options,
    );

    this.bucketName = this.bucket.name;
    this.credentials = args.credentials && this.#credentials(name, args, args.credentials);
    this.registerOutputs({ bucketName: this.bucketName });
  }

  #credentials(
    name: string,
    { accountId, bucketName }: BackupBucketArgs,
    { tokenNames, rotation, objectWritePermission }: NonNullable<BackupBucketArgs["credentials"]>,
  ): BucketCredentials {
    const { used: token } = declareRotating(name, rotation, (slot, version) =>
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
