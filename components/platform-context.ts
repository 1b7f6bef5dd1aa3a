import type * as pulumi from "@pulumi/pulumi";
import type { Environment } from "#domain/environment.ts";
import type { TenantShape } from "#domain/plans/account-limits.ts";
import type { Rotation, SecretVersions } from "#domain/rotation.ts";
import type { WorkerBundle } from "#workers/bundle.ts";
import type { PlatformOutputs } from "./platform-outputs.ts";
import type { DispatchAccess } from "./workers/dispatch-worker.ts";

export interface PlatformContext {
  /** Separate from the outputs, which a preview may not know yet. */
  environment: Environment;
  outputs: pulumi.Output<PlatformOutputs>;
  shape: TenantShape;
  /** Row of the account's limits, which tenants' rows depend on. Default: another stack declares it. */
  accountLimits?: pulumi.Resource | undefined;
  /** Orders a backup before a tenant's containers are replaced. Default: no backup. */
  dispatch?: DispatchAccess | undefined;
  /** JSON object of provider keys by provider name. A secret. Default: none. */
  providerKeys?: pulumi.Input<string> | undefined;
  /** Rotation of the tenants' API tokens. Default: never rotated. */
  tokenRotation?: Rotation | undefined;
  /** Versions of the secrets that each tenant has. Default: never rotated. */
  secretVersions?: SecretVersions | undefined;
  bundle: WorkerBundle;
}
