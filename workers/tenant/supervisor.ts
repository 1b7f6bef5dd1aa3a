/**
 * The tenant's supervisor: the Durable Object that controls the gateway, its health, its backups and its sleep. A cold start loses what is
 * not in the object's storage (startup cache, restore status, back-off), as the specification says.
 */

import { DurableObject } from "cloudflare:workers";
import { ADMITTED_AT_HEADER, timeIn } from "#workers/contracts/platform-headers.ts";
import type { BackupOrigin, Requester, RestoreOrder } from "#workers/contracts/tenant/backup.ts";
import type { ChannelsOrder } from "#workers/contracts/tenant/channels.ts";
import type { DeviceChange } from "#workers/contracts/tenant/devices.ts";
import type { DoctorRun } from "#workers/contracts/tenant/doctor.ts";
import type { EgressOrder } from "#workers/contracts/tenant/egress.ts";
import type { FileOrder } from "#workers/contracts/tenant/files.ts";
import type { InboxDelivery, InboxQuery, InboxSelection } from "#workers/contracts/tenant/inbox.ts";
import type { AiQuery } from "#workers/contracts/tenant/metrics/ai-usage.ts";
import type { ProviderKeysOrder } from "#workers/contracts/tenant/provider-keys.ts";
import type { SpendingCapOrder } from "#workers/contracts/tenant/spending-cap.ts";
import type { HostCount } from "./egress/host-counts.ts";
import type { TenantEnv } from "./env.ts";
import { type Mode, modeOf } from "./health/check.ts";
import type { AiUsagePoint } from "./metrics/ai-usage.ts";
import type { KeyOutcome } from "./model-calls/own-keys/stored-keys.ts";
import type { SupervisorCalls } from "./supervisor-calls.ts";
import { supervisorPartsOf } from "./supervisor-parts.ts";

export class Supervisor extends DurableObject<TenantEnv> implements SupervisorCalls {
  readonly #parts = supervisorPartsOf(this.ctx, this.env);

  async snapshot(mode: Mode, admittedAt?: number, withDevices = false) {
    const { endHold, health, inbox, hasFailedBackup, unexpectedRestores, deviceWatch, newDevices } = this.#parts;
    if (mode === "active") await endHold(admittedAt);
    const { snapshot } = await health.check(mode);
    if (withDevices && mode === "passive" && snapshot.status === "running") await deviceWatch.check();
    const restores = await unexpectedRestores();
    const devices = withDevices ? await newDevices.recent() : [];
    return {
      ...snapshot,
      ...(inbox.isFull() && { inboxFull: true as const }),
      ...((await hasFailedBackup()) && { backupFailed: true as const }),
      ...(restores.length > 0 && { unexpectedRestores: restores }),
      ...(devices.length > 0 && { newDevices: devices }),
    };
  }

  async tick(scheduledTime: string) {
    const { health, hold, usage, maker, inbox, revive, measureChannels, followPlan } = this.#parts;
    // Only tenants that pass the routing gate get ticks. Their list is read after the scheduled time.
    await hold.endIfRoutable(Date.parse(scheduledTime));
    const check = await health.check("passive");
    usage.tick(scheduledTime, check);
    usage.measureInbox(inbox.status(), Date.now());
    this.ctx.waitUntil(inbox.clean());
    this.ctx.waitUntil(measureChannels(check));
    this.ctx.waitUntil(followPlan());
    if (check.snapshot.status === "running") this.ctx.waitUntil(maker.backUpIfDue());
    if (check.snapshot.status === "stopped") this.ctx.waitUntil(revive(check));
    return check;
  }

  countAiUsage(points: AiUsagePoint[]) {
    return this.#parts.usage.countAiUsage(points);
  }

  countAiQueries(queries: AiQuery[]) {
    this.#parts.usage.countAiQueries(queries);
  }

  backUp(isEnding: boolean, origin: BackupOrigin) {
    return this.#parts.backups.backUp(isEnding, origin);
  }

  backups() {
    return this.#parts.backupReport();
  }

  keepBackup(id: string, kept: boolean) {
    return this.#parts.backups.keep(id, kept);
  }

  removeUpload(id: string) {
    return this.#parts.backups.removeUpload(id);
  }

  lastImage() {
    return this.#parts.lastImage();
  }

  listFiles(path: string) {
    return this.#parts.files.list(path);
  }

  readTextFile(path: string) {
    return this.#parts.files.text(path);
  }

  downloadFile(path: string) {
    return this.#parts.files.download(path);
  }

  writeFile(order: FileOrder) {
    return this.#parts.files.write(order);
  }

  changedFiles(since: string) {
    return this.#parts.files.changes(since);
  }

  acceptState() {
    return this.#parts.backups.acceptState();
  }

  restoreBackup(order: RestoreOrder) {
    return this.#parts.backups.restore(order);
  }

  async admit(admittedAt?: number) {
    const { lastCut, hold, admit } = this.#parts;
    const cutAt = await lastCut.after(admittedAt);
    if (cutAt !== undefined) return { cutAt };
    await hold.end();
    return admit();
  }

  cutAfter(admittedAt: number) {
    return this.#parts.lastCut.after(admittedAt);
  }

  sleep(wakeAfterMs?: number) {
    return this.#parts.sleep.sleepNow(wakeAfterMs);
  }

  restart() {
    return this.#parts.restart();
  }

  cut(routable: boolean) {
    return this.#parts.cut(routable);
  }

  receiveMessage(delivery: InboxDelivery, body: ArrayBuffer) {
    return this.#parts.inbox.receive(delivery, body);
  }

  async listMessages(query: InboxQuery) {
    return this.#parts.inbox.list(query);
  }

  async exportMessages(query: Pick<InboxQuery, "state" | "after">) {
    return this.#parts.inbox.export(query);
  }

  replayMessages(selection: InboxSelection) {
    return this.#parts.inbox.replay(selection);
  }

  dropMessages(selection: InboxSelection) {
    return this.#parts.inbox.drop(selection);
  }

  orderDoctor(kind: DoctorRun["kind"], by: Requester | undefined) {
    return this.#parts.doctor.order(kind, by);
  }

  reportDoctor() {
    return this.#parts.doctor.report();
  }

  listDevices() {
    return this.#parts.devices.list();
  }

  changeDevice(change: DeviceChange) {
    return this.#parts.devices.change(change);
  }

  status() {
    return this.#parts.status();
  }

  ticketKey() {
    return this.#parts.ticketKey.jwk();
  }

  setChannels(order: ChannelsOrder) {
    return this.#parts.setChannels(order);
  }

  setProviderKeys({ keys }: ProviderKeysOrder) {
    return this.#parts.providerKeys.replace(keys);
  }

  async modelCallTerms() {
    const { providerKeys, usage } = this.#parts;
    return { keys: [...providerKeys.current], isCapReached: usage.isCapReached() };
  }

  async setSpendingCap(order: SpendingCapOrder) {
    this.#parts.usage.setSpendingCap(order);
  }

  recordProviderKey(id: string, outcome: KeyOutcome) {
    return this.#parts.providerKeys.record(id, outcome);
  }

  async reportProviderKeys() {
    return this.#parts.providerKeys.report();
  }

  setEgress(order: EgressOrder) {
    return this.#parts.egress.replace(order);
  }

  async egressOrder(knownStamp: string | undefined) {
    return this.#parts.egress.order(knownStamp);
  }

  async networkPlan() {
    return this.#parts.egress.networkPlan();
  }

  async recordEgress(counts: HostCount[]) {
    this.#parts.egress.record(counts);
  }

  reportEgress() {
    return this.#parts.egress.report();
  }

  log(lines: number) {
    return this.#parts.log(lines);
  }

  override async fetch(request: Request) {
    if (modeOf(request.url) === "active") await this.#parts.endHold(timeIn(request.headers, ADMITTED_AT_HEADER));
    return this.#parts.health.stream.open(request);
  }

  override async alarm() {
    await this.#parts.handleAlarm();
  }

  override webSocketClose(socket: WebSocket, code: number) {
    // 1005 and 1006 stand for a missing code and must not be sent.
    socket.close(code === 1005 || code === 1006 ? 1000 : code);
  }
}
