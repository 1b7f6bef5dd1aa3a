/** Which of Cloudflare's limits the edge enforces, and why not the others. */
import { LIMITS, type LimitName } from "@tenantry/cloudflare-limits/limits";

/** The edge, with a value that `EdgeOptions.limits` can change. */
const EDGE = "edge";
/** workerd, its storage objects, or a part of the edge that has no such option. */
const RUNTIME = "runtime";

interface NotEnforced {
  readonly because: string;
}
const not = (because: string): NotEnforced => ({ because });

const NOT_SERVED = not("The edge does not serve these resources.");
const MACHINE = not("The machine is the limit.");
const UNLIMITED = not("There is no limit in this plan.");
const OWN_RATE = not("Only the rate of all API requests is limited.");

export const ENFORCEMENT = {
  accessApplications: EDGE,
  accessGroups: EDGE,
  accessPolicies: EDGE,
  accessGroupRules: EDGE,
  accessApplicationRules: EDGE,
  accessApplicationDestinations: EDGE,
  accessApplicationUrl: EDGE,
  accessName: EDGE,
  accessServiceTokens: EDGE,
  zeroTrustLists: EDGE,
  zeroTrustListEntries: EDGE,
  zeroTrustListRequests: OWN_RATE,
  apiRequests: EDGE,
  apiRequestsBlock: EDGE,
  apiRequestsOfAddress: not("All clients of a machine have one address."),
  accountApiTokens: EDGE,
  userApiTokens: NOT_SERVED,
  scripts: EDGE,
  scriptSize: EDGE,
  scriptStartup: not("Code runs at the first request, not at the upload."),
  scriptVariables: EDGE,
  scriptVariable: EDGE,
  scriptBindings: not("The documentation has an approximate number only."),
  scriptName: EDGE,
  namespacedScriptTags: EDGE,
  namespacedScripts: UNLIMITED,
  cpuTime: EDGE,
  cpuTimeDefault: RUNTIME,
  subrequests: EDGE,
  subrequestsMost: EDGE,
  simultaneousConnections: not("workerd opens any number of connections."),
  workerMemory: not("workerd has no limit for the memory of a script."),
  alarmDuration: not("workerd has no limit for the duration of an event."),
  cronTriggers: EDGE,
  assetFiles: EDGE,
  assetFile: EDGE,
  assetRoutingRules: RUNTIME,
  requestUrl: EDGE,
  requestHeaders: RUNTIME,
  responseHeaders: RUNTIME,
  requestBody: EDGE,
  dnsRecords: EDGE,
  routes: EDGE,
  objectClasses: EDGE,
  objectStorage: MACHINE,
  objectEntry: RUNTIME,
  objectSqlStatement: RUNTIME,
  webSocketMessage: RUNTIME,
  containerMemory: MACHINE,
  containerVcpu: MACHINE,
  containerDisk: MACHINE,
  containerImages: not("An image in the registry is a name without a size."),
  customVcpu: EDGE,
  customVcpuLeast: EDGE,
  customMemory: EDGE,
  customMemoryPerVcpu: EDGE,
  customDisk: EDGE,
  customDiskPerMemory: EDGE,
  kvNamespaces: EDGE,
  kvKey: EDGE,
  kvValue: EDGE,
  kvMetadata: EDGE,
  kvExpirationTtl: EDGE,
  kvCacheTtl: RUNTIME,
  kvListPage: EDGE,
  kvBulkPairs: EDGE,
  kvBulkBytes: EDGE,
  kvKeyWrites: EDGE,
  kvOperations: not("The limit of subrequests, which is documented later, contradicts it; the edge enforces that one."),
  buckets: EDGE,
  bucketOperations: OWN_RATE,
  bucketLifecycleRules: EDGE,
  objectKey: RUNTIME,
  objectMetadata: RUNTIME,
  objectUpload: RUNTIME,
  objectParts: RUNTIME,
  objectSize: MACHINE,
  objectWrites: not("The storage of objects reads the key after it has accepted the request."),
  objectListPage: RUNTIME,
  queues: EDGE,
  queueMessage: RUNTIME,
  queueSendMessages: RUNTIME,
  queueSendBytes: not("The queue accepts 288,000 bytes."),
  queueBatch: EDGE,
  queueBatchWait: EDGE,
  queueRetries: EDGE,
  queueConcurrency: EDGE,
  queueDelay: EDGE,
  queueRetention: EDGE,
  queueBacklog: MACHINE,
  queueThroughput: MACHINE,
  hyperdriveConfigs: EDGE,
  hyperdriveConnections: EDGE,
  hyperdriveConnectionsDefault: not(
    "The edge opens as many as the free plan, because a local database accepts fewer in all.",
  ),
  hyperdriveConnectionsLeast: EDGE,
  hyperdriveName: EDGE,
  hyperdriveConnectTimeout: RUNTIME,
  hyperdriveIdleConnection: not("Connections stay open until the configuration changes."),
  hyperdriveQuery: not("Queries run as long as the database lets them."),
  aiGateways: EDGE,
  aiGatewayLogs: not("The edge stores the smallest number that a gateway can be set to."),
  aiGatewayLogsLeast: EDGE,
  aiGatewayLogSize: not("The edge stores the beginning of a large body instead of dropping the entry."),
  aiGatewayLogPage: EDGE,
  aiGatewayMetadata: RUNTIME,
  aiGatewayCacheableRequest: EDGE,
  analyticsPoints: EDGE,
  analyticsBlobs: RUNTIME,
  analyticsDoubles: RUNTIME,
  analyticsIndexes: RUNTIME,
  analyticsBlobBytes: RUNTIME,
  analyticsIndexBytes: RUNTIME,
  analyticsRetention: RUNTIME,
  analyticsQueries: UNLIMITED,
} as const satisfies Readonly<Record<LimitName, typeof EDGE | typeof RUNTIME | NotEnforced>>;

/** A limit that the edge enforces, and that can be changed. */
export type EdgeLimit = {
  [Name in LimitName]: (typeof ENFORCEMENT)[Name] extends typeof EDGE ? Name : never;
}[LimitName];

/** Returns the limits that the edge does not enforce, with the reasons. */
export function notEnforced(): { name: LimitName; of: string; because: string }[] {
  return (Object.keys(ENFORCEMENT) as LimitName[]).flatMap((name) => {
    const enforcement = ENFORCEMENT[name];
    return typeof enforcement === "string" ? [] : [{ name, of: LIMITS[name].of, because: enforcement.because }];
  });
}
