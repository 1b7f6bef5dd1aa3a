/** The stack program: reads settings, declares components, exports outputs. A stack has a platform, tenants of another stack's platform, or both. */
import "./stack/program-process.ts";
import * as pulumi from "@pulumi/pulumi";
import type { Client } from "./components/client.ts";
import { Platform } from "./components/platform.ts";
import { TenantryProvider } from "./components/resources/tenantry-provider.ts";
import { DOORS_LABEL } from "./domain/names/slug.ts";
import { DEFAULT_TENANT_SHAPE } from "./domain/plans/account-limits.ts";
import { RELEASE } from "./domain/release.ts";
import { secretVersions } from "./domain/rotation.ts";
import { variableTexts } from "./domain/settings/platform.ts";
import { qualifiedStack } from "./stack/current-stack.ts";
import { refuseBeyondLimits } from "./stack/fleet/account-check.ts";
import { warnOfSmallContainers } from "./stack/fleet/container-memory.ts";
import { declaresDoors } from "./stack/fleet/doors/doors.ts";
import { findKeptBuckets } from "./stack/fleet/earlier-buckets.ts";
import { refuseEmptyDatabase } from "./stack/fleet/empty-database.ts";
import { refuseOtherEnvironment } from "./stack/fleet/environment-change.ts";
import { declareFleet, type FleetArgs } from "./stack/fleet/fleet.ts";
import { placeFleet } from "./stack/fleet/placement.ts";
import { planFleet } from "./stack/fleet/plan.ts";
import { warnOfLargeFleet } from "./stack/fleet/size.ts";
import { readFleetSnapshot } from "./stack/fleet/snapshot.ts";
import { reportTenantChanges } from "./stack/fleet/tenant-changes.ts";
import type { TenantryOutputs } from "./stack/outputs.ts";
import { checkPlatformRemoval } from "./stack/platform-removal.ts";
import type { RunFlags } from "./stack/settings/run-flags.ts";
import { type PlatformStackSettings, readSettings, type TenantStackSettings } from "./stack/settings/settings.ts";
import { readTokenPermissions } from "./stack/token-permissions.ts";
import { bundleWorker, type WorkerBundle } from "./workers/bundle.ts";
import { bundlePages } from "./workers/pages.ts";
import { readStoredBundle } from "./workers/stored-bundle.ts";

/** Stack outputs (`stack/outputs.ts`). A stack of tenants has only `tenants` and `doors`. */
export interface StackOutputs
  extends Partial<Omit<{ [K in keyof TenantryOutputs]: pulumi.Input<TenantryOutputs[K]> }, "tenants">> {
  tenants: Record<string, pulumi.Output<string>>;
}

/** Runs the program; Pulumi calls the default export. `variables` supply connections that are not configured. */
export default async function stack(variables: NodeJS.ProcessEnv = process.env): Promise<StackOutputs> {
  const settings = readSettings(new pulumi.Config("tenantry"), variables);
  warnOfLargeFleet(settings.clients.length);
  return settings.platform === undefined ? tenantsOf(settings) : wholePlatform(settings);
}

async function wholePlatform(settings: PlatformStackSettings): Promise<StackOutputs> {
  const { environment, connections } = settings;
  const [permissions, dispatch, dashboard, pages, tenant, snapshot] = await Promise.all([
    readTokenPermissions(settings.platform.accountId),
    bundleWorker("dispatch"),
    bundleWorker("dashboard"),
    bundlePages(),
    tenantBundle(settings),
    readFleetSnapshot(connections.databaseUrl, environment),
  ]);
  refuseOtherEnvironment(environment, snapshot.platformOwners);
  const { accountId } = settings.platform;
  await refuseEmptyDatabase({ accountId, databaseUrl: connections.databaseUrl, environment, snapshot });
  const fleet = {
    ...settings,
    createDedicatedAiGateways: settings.platform.createDedicatedAiGateways,
    poolSettings: settings.platform.aiGateways,
    snapshot,
  };
  const plan = planFleet(fleet);
  const tokenRotation = settings.rotations?.tenantTokens;
  const shape = { ...settings.platform, tokenRotation, platformTokenRotation: settings.rotations?.apiTokens };
  refuseBeyondLimits(fleet, plan, { shape, limits: settings.platform.limits });
  warnOfSmallContainers(settings.clients, settings.platform);
  const keptBuckets = await findKeptBuckets({ ...fleet, accountId });
  const providerKeys = secretJson(settings.providerKeys);
  const serviceVariables = variableTexts("automation", settings.platform);
  const platform = new Platform("platform", {
    stack: qualifiedStack(),
    environment,
    ...settings.platform,
    ...connections,
    doorsHost: !(DOORS_LABEL in snapshot.clients),
    permissions,
    bundles: { dispatch, dashboard },
    pages,
    takeOver: settings.takeOver,
    rotations: settings.rotations,
  });
  const { used: doorsKey, other: otherDoorsKey } = platform.doorsKey;
  const { databaseUrl } = platform;
  const doorsProvider = declaresDoors(settings.clients)
    ? new TenantryProvider("tenantry-doors", { databaseUrl, doorsKey, otherDoorsKey }, { dependsOn: platform.provider })
    : undefined;
  const clients = declareTenants({
    ...fleet,
    plan,
    keptBuckets,
    context: {
      environment,
      doorsProvider,
      outputs: platform.outputs,
      shape,
      accountLimits: platform.accountLimits,
      dispatch: settings.backupBeforeRedeploy ? platform.dispatch : undefined,
      providerKeys,
      tokenRotation,
      secretVersions: secretVersions(settings.rotations ?? {}),
      bundle: tenant,
    },
    provider: platform.provider,
    poolEntries: platform.poolEntries,
  });
  checkPlatformRemoval(platform, Object.values(clients), environment);
  return {
    version: RELEASE,
    ...tenantOutputs(clients),
    platform: platform.outputs,
    databaseUrl: platform.databaseUrl,
    serviceUrl: platform.serviceUrl,
    invalidateToken: platform.invalidateToken,
    liveToken: platform.liveToken,
    doorsKey: platform.doorsKey.used,
    ...(platform.doorsKey.other && { otherDoorsKey: platform.doorsKey.other }),
    ...(providerKeys && { providerKeys }),
    ...(Object.keys(serviceVariables).length > 0 && { serviceVariables }),
    dashboard: platform.dashboardHostname,
  };
}

async function tenantsOf(settings: TenantStackSettings): Promise<StackOutputs> {
  const [tenant, { platform, fleet, plan }] = await Promise.all([tenantBundle(settings), placeFleet(settings)]);
  const { known, databaseUrl } = platform;
  if (known !== undefined) warnOfSmallContainers(settings.clients, known);
  const keptBuckets = await findKeptBuckets({ ...fleet, accountId: known?.accountId });
  const connection = databaseUrl === undefined ? {} : { databaseUrl };
  const provider = new TenantryProvider("tenantry", connection);
  const doorsProvider = declaresDoors(settings.clients)
    ? new TenantryProvider("tenantry-doors", { ...connection, ...platform.doorsKeys() })
    : undefined;
  const clients = declareTenants({
    ...fleet,
    plan,
    keptBuckets,
    context: {
      environment: settings.environment,
      doorsProvider,
      outputs: platform.outputs,
      shape: known ?? DEFAULT_TENANT_SHAPE,
      dispatch: settings.backupBeforeRedeploy ? platform.dispatch : undefined,
      providerKeys: secretJson(settings.providerKeys) ?? platform.providerKeys,
      tokenRotation: known?.tokenRotation,
      secretVersions: known?.secretVersions,
      bundle: tenant,
    },
    provider,
  });
  return tenantOutputs(clients);
}

/** Returns the tenants' Worker: of the checkout, or of the release that the run's flags name. */
function tenantBundle({ tenantBundle: kept }: RunFlags): Promise<WorkerBundle> {
  return kept === undefined ? bundleWorker("tenant") : readStoredBundle(kept);
}

function secretJson(value: Readonly<Record<string, string>> | undefined): pulumi.Output<string> | undefined {
  return value && pulumi.secret(JSON.stringify(value));
}

function declareTenants(args: FleetArgs): Record<string, Client> {
  const clients = declareFleet(args);
  reportTenantChanges({ ...args, settings: args.clients, clients });
  return clients;
}

function tenantOutputs(clients: Record<string, Client>): Pick<StackOutputs, "tenants" | "doors"> {
  const ofEach = <T>(value: (client: Client) => T) =>
    Object.fromEntries(Object.entries(clients).map(([slug, client]) => [slug, value(client)]));
  const tenants = ofEach(({ hostname }) => hostname);
  const doors = ofEach((client) => client.doors);
  if (Object.values(doors).every((one) => Object.keys(one).length === 0)) return { tenants };
  return { tenants, doors: pulumi.secret(pulumi.output(doors).apply((all) => JSON.stringify(all))) };
}
