/** The supervisor's RPC interface. It is apart from its class so that `env.ts` does not import the class. */
import type { JWK } from "jose";
import type {
  BackupOrigin,
  BackupReport,
  ChangesSince,
  Requester,
  RestoreOrder,
} from "#workers/contracts/tenant/backup.ts";
import type { ChannelsOrder } from "#workers/contracts/tenant/channels.ts";
import type { ChangedDevice, DeviceChange, DeviceList } from "#workers/contracts/tenant/devices.ts";
import type { DoctorReport, DoctorRun } from "#workers/contracts/tenant/doctor.ts";
import type { EgressOrder, EgressReport } from "#workers/contracts/tenant/egress.ts";
import type { FileList, FileOrder, ReadFile, TextFile, WrittenFile } from "#workers/contracts/tenant/files.ts";
import type { HealthSnapshot } from "#workers/contracts/tenant/health-snapshot.ts";
import type {
  InboxChange,
  InboxDelivery,
  InboxPage,
  InboxQuery,
  InboxSelection,
} from "#workers/contracts/tenant/inbox.ts";
import type { AiQuery } from "#workers/contracts/tenant/metrics/ai-usage.ts";
import type { ProviderKeysOrder, ReportedProviderKey } from "#workers/contracts/tenant/provider-keys.ts";
import type { GatewayVersion } from "#workers/contracts/tenant/sandbox.ts";
import type { SandboxStatus } from "#workers/contracts/tenant/sandbox-status.ts";
import type { SpendingCapOrder } from "#workers/contracts/tenant/spending-cap.ts";
import { isSafe, objectCalls } from "#workers/shared/object-calls.ts";
import type { BackupOutcome, KeptOutcome, RemovalOutcome, RestoreOutcome } from "./backup/outcome.ts";
import type { DeviceOutcome } from "./devices/devices.ts";
import type { OrderedRun } from "./doctor/doctor.ts";
import type { HostCount } from "./egress/host-counts.ts";
import type { NetworkPlan } from "./egress/network-plan.ts";
import type { StoredOrder } from "./egress/stored-egress.ts";
import type { Refusable } from "./files/state-files.ts";
import type { HealthCheck, Mode } from "./health/check.ts";
import type { ExportPage, Received } from "./inbox/inbox.ts";
import type { AiUsagePoint } from "./metrics/ai-usage.ts";
import type { ModelCallTerms } from "./model-calls/own-keys/key-cache.ts";
import type { KeyOutcome } from "./model-calls/own-keys/stored-keys.ts";
import type { OrderedSleep } from "./sleep/control.ts";

export interface SupervisorCalls extends Rpc.DurableObjectBranded {
  /** Opens the health stream. */
  fetch(request: Request): Promise<Response>;
  /**
   * Returns a snapshot. Active mode starts a stopped gateway, after restoring its state if necessary, and begins a backup when one is
   * due. Passive mode changes nothing.
   *
   * @param admittedAt a frozen tenant's gateway starts only for a request that was admitted after the last cut
   * @param withDevices finds and returns new devices, which only administrators and the platform may see
   */
  snapshot(mode: Mode, admittedAt?: number, withDevices?: boolean): Promise<HealthSnapshot>;
  /**
   * Makes a passive health check and measures usage, once a minute. Begins a backup when the gateway runs and one is due. Starts a gateway that
   * ended and may owe an answer to a message. Ends the hold of a tenant that was resumed.
   *
   * @param scheduledTime the minute: ISO 8601 UTC
   */
  tick(scheduledTime: string): Promise<HealthCheck>;
  /** Counts model queries. @returns how many points were left out */
  countAiUsage(points: AiUsagePoint[]): { left: number };
  /** Counts each query in the AI gateway's log once. @throws when nothing was counted */
  countAiQueries(queries: AiQuery[]): void;
  /** Creates a backup after any backup in progress. @param isEnding whether the container ends afterwards, so that its use is measured too */
  backUp(isEnding: boolean, origin: BackupOrigin): Promise<BackupOutcome>;
  /** Keeps a backup beyond the retention, or no longer. */
  keepBackup(id: string, kept: boolean): Promise<KeptOutcome>;
  /** Deletes an uploaded backup. */
  removeUpload(id: string): Promise<RemovalOutcome>;
  /** Returns the gateway of the image, as it was last reported. */
  lastImage(): Promise<GatewayVersion | undefined>;
  /** Lists backups and the current problem. @throws when the bucket or the sandbox cannot be read */
  backups(): Promise<BackupReport>;
  /** Reads and edits files of the state. */
  listFiles(path: string): Promise<Refusable<FileList>>;
  readTextFile(path: string): Promise<Refusable<TextFile>>;
  downloadFile(path: string): Promise<Refusable<ReadFile>>;
  writeFile(order: FileOrder): Promise<Refusable<WrittenFile>>;
  /** @param since ISO 8601 UTC */
  changedFiles(since: string): Promise<Refusable<ChangesSince>>;
  /** Accepts the present state as the tenant's, and backs it up. */
  acceptState(): Promise<BackupOutcome>;
  /**
   * Replaces the present state by a backup. Backs up the present state first.
   *
   * @param order.discardPresent continues when the present state cannot be backed up
   * @param order.order identifies the order; a repeated order returns the first result
   */
  restoreBackup(order: RestoreOrder): Promise<RestoreOutcome>;
  /**
   * Returns whether tenant traffic may pass; the time of the last cut if the request was admitted earlier. Starts a stopped gateway. Concurrent
   * callers share one health check.
   */
  admit(admittedAt?: number): Promise<boolean | { cutAt: number }>;
  /** Returns the time of the last cut if a request was admitted earlier. */
  cutAfter(admittedAt: number): Promise<number | undefined>;
  /** Puts the tenant to sleep after a backup. @param wakeAfterMs wakes it as for a scheduled job */
  sleep(wakeAfterMs?: number): Promise<OrderedSleep>;
  /** Clears the startup cache and restarts the gateway. Concurrent callers share one restart. */
  restart(): Promise<void>;
  /**
   * Closes every WebSocket, stream and health listener. Requests that were admitted earlier no longer pass.
   *
   * @param routable when false, the gateway does not start until a later call is allowed to reach the tenant
   */
  cut(routable: boolean): Promise<void>;
  /** Stores a message of a webhook, and begins its delivery. @param body the raw body */
  receiveMessage(delivery: InboxDelivery, body: ArrayBuffer): Promise<Received>;
  /** Lists the inbox's messages. */
  listMessages(query: InboxQuery): Promise<InboxPage>;
  /** Returns the inbox's messages with their content. */
  exportMessages(query: Pick<InboxQuery, "state" | "after">): Promise<ExportPage>;
  /** Queues dead messages again. */
  replayMessages(selection: InboxSelection): Promise<InboxChange>;
  /** Drops messages that were not delivered. */
  dropMessages(selection: InboxSelection): Promise<InboxChange>;
  /** Returns the sandbox's status. Changes nothing. */
  status(): Promise<SandboxStatus>;
  /** Lists the devices that are paired in the running gateway. */
  listDevices(): Promise<DeviceOutcome<DeviceList>>;
  /** Approves, rejects or removes a device. */
  changeDevice(change: DeviceChange): Promise<DeviceOutcome<ChangedDevice>>;
  /** Starts the gateway's doctor, or joins the run in progress. */
  orderDoctor(kind: DoctorRun["kind"], by: Requester | undefined): Promise<OrderedRun>;
  /** Returns the doctor's last run and findings, without secrets. Changes nothing. */
  reportDoctor(): Promise<DoctorReport>;
  /** Replaces the connected channels. */
  setChannels(order: ChannelsOrder): Promise<void>;
  /** Replaces the tenant's own provider keys. */
  setProviderKeys(order: ProviderKeysOrder): Promise<void>;
  /** Returns the tenant's own provider keys, which only this Worker may have, and whether the cap of spending is reached. */
  modelCallTerms(): Promise<ModelCallTerms>;
  /** Replaces the cap of spending on models. */
  setSpendingCap(order: SpendingCapOrder): Promise<void>;
  /** Records what a call says of its key. */
  recordProviderKey(id: string, outcome: KeyOutcome): Promise<void>;
  /** Returns what is known of each key, without the key. */
  reportProviderKeys(): Promise<ReportedProviderKey[]>;
  /** Replaces the policy of the container's network access and its secrets, and applies them to a running container. */
  setEgress(order: EgressOrder): Promise<void>;
  /** Returns the order in force, or null if it has this stamp. Only this Worker may have its secrets. */
  egressOrder(knownStamp: string | undefined): Promise<StoredOrder | null>;
  /** Returns the network access that the policy in force demands; null if none was ever stated. */
  networkPlan(): Promise<NetworkPlan | null>;
  /** Counts requests of the container. */
  recordEgress(counts: HostCount[]): Promise<void>;
  /** Returns what the container reached, and whether it has the network access of the policy in force. */
  reportEgress(): Promise<EgressReport>;
  /** Returns the private key of {@link UserTickets}. Only this Worker may have it. */
  ticketKey(): Promise<JWK>;
  /** Returns recorded events, then the last lines of the gateway's log, without secrets. */
  log(lines: number): Promise<string[]>;
}

/** Returns the tenant's supervisor. */
export const supervisorOf = ({ SUPERVISOR }: { SUPERVISOR: DurableObjectNamespace<SupervisorCalls> }) =>
  objectCalls(() => SUPERVISOR.get(SUPERVISOR.idFromName("gateway")), {
    fetch: isSafe,
    snapshot: true,
    tick: true,
    countAiUsage: true,
    countAiQueries: true,
    // A backup in progress continues, or the caller orders another.
    backUp: false,
    backups: true,
    keepBackup: true,
    removeUpload: true,
    listFiles: true,
    readTextFile: true,
    downloadFile: true,
    // A repetition would find its own change.
    writeFile: false,
    changedFiles: true,
    lastImage: true,
    acceptState: false,
    restoreBackup: ({ order }: RestoreOrder) => order !== undefined,
    admit: true,
    cutAfter: true,
    // Users would be interrupted twice.
    restart: false,
    sleep: false,
    cut: true,
    // A repetition finds a duplicate.
    receiveMessage: true,
    listMessages: true,
    exportMessages: true,
    replayMessages: true,
    dropMessages: true,
    status: true,
    // A repetition joins the run.
    orderDoctor: (kind: DoctorRun["kind"]) => kind === "check",
    reportDoctor: true,
    listDevices: true,
    // A repetition would not find the device.
    changeDevice: false,
    setChannels: true,
    setProviderKeys: true,
    modelCallTerms: true,
    setSpendingCap: true,
    recordProviderKey: true,
    reportProviderKeys: true,
    setEgress: true,
    egressOrder: true,
    networkPlan: true,
    // Requests would count twice.
    recordEgress: false,
    reportEgress: true,
    ticketKey: true,
    log: true,
  });
