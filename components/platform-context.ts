import type * as pulumi from "@pulumi/pulumi";
import type { GatewayChoice } from "#domain/ai-gateways/gateway-selection.ts";
import type { DoorKind, DoorState } from "#domain/doors/door.ts";
import type { Secrets } from "#domain/doors/door-secrets.ts";
import type { EgressPolicy } from "#domain/egress/policy-types.ts";
import type { Environment } from "#domain/environment.ts";
import type { TenantShape } from "#domain/plans/account-limits.ts";
import type { Plan } from "#domain/plans/plan.ts";
import type { Rotation, SecretVersions } from "#domain/rotation.ts";
import type { WorkerBundle } from "#workers/bundle.ts";
import type { PlatformOutputs } from "./platform-outputs.ts";
import type { TogetherRow } from "./resources/database-record.ts";
import type { TenantryProvider } from "./resources/tenantry-provider.ts";
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
  /** Provider with the key for the secrets of doors. Default: no tenant has declared doors. */
  doorsProvider?: TenantryProvider | undefined;
  bundle: WorkerBundle;
}

/** The AI gateway of a tenant: the planned choice, the row id of a pooled one, and the instances that change theirs in the same transaction. */
export type GatewayBinding = GatewayChoice & { poolId?: pulumi.Input<string>; together?: TogetherRow[] };

/** A door, as settings declare it. */
export interface DoorDeclaration {
  name: string;
  kind: DoorKind;
  state: DoorState;
  /** Earlier name of the door, which it had at its last deployment. Default: none. */
  formerName?: string | undefined;
  /** An increment replaces the address. */
  keyVersion: number;
  /** An increment replaces the generated secrets. */
  secretsVersion: number;
  overlapSeconds: number;
  /** Secrets that the platform does not generate. */
  secrets: Secrets;
  /** Whether it was deployed before, and its row is missing. */
  missing: boolean;
}

export interface TenantArgs {
  context: PlatformContext;
  slug: string;
  plan: Plan;
  /** Number of earlier clients with the slug. Default: none. */
  earlierClients?: number | undefined;
  gateway: GatewayBinding;
  /** Version of the gateway's token; an increment replaces the token. Default: 1. */
  tokenVersion?: number | undefined;
  /** Image of the gateway's container. Default: the platform's. */
  image?: string | undefined;
  /** What the container may reach; null states nothing. Default: unchanged. */
  egress?: EgressPolicy | null | undefined;
  /** Webhook endpoints. Default: none. */
  doors?: readonly DoorDeclaration[] | undefined;
  /** Import id of an earlier tenant's backup bucket to adopt. Default: a bucket is created. */
  adoptBucket?: string | undefined;
  /** Whether rows and scripts of another stack may be taken over. Default: false. */
  takeOver?: boolean | undefined;
}
