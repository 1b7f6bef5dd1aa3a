import type * as pulumi from "@pulumi/pulumi";
import type { Environment } from "#domain/environment.ts";
import type { TenantShape } from "#domain/plans/account-limits.ts";
import type { Rotation, SecretVersions } from "#domain/rotation.ts";
import type { WorkerBundle } from "#workers/bundle.ts";
import type { PlatformOutputs } from "./platform-outputs.ts";
import type { DispatchAccess } from "./workers/dispatch-worker.ts";

/** What all tenants of a stack are made with: the platform they are on, and the Worker they run. */
export interface PlatformContext {
  /** Named apart from the outputs, which a preview may not know yet. */
  environment: Environment;
  outputs: pulumi.Output<PlatformOutputs>;
  shape: TenantShape;
  /** The row of what the account may hold, where this stack declares it: tenants' rows come after it. Default: another stack has it. */
  accountLimits?: pulumi.Resource | undefined;
  /** By which tenants are backed up before their containers are replaced. Default: they are not. */
  dispatch?: DispatchAccess | undefined;
  /** Keys of the AI gateways' providers by their names, as a JSON object. A secret. Default: none. */
  providerKeys?: pulumi.Input<string> | undefined;
  /** How far the rotation of the tenants' API tokens is. Default: they were never rotated. */
  tokenRotation?: Rotation | undefined;
  /** Versions of the secrets of which each tenant has its own. Default: they were never rotated. */
  secretVersions?: SecretVersions | undefined;
  /** The tenants' Worker. */
  bundle: WorkerBundle;
}
