/**
 * The tenant's one supervisor. It passes its calls to the objects that keep the gateway, its health, its state and its sleep. What is not in
 * the object's storage (startup cache, restore status, back-off) is lost at a cold start, as the specification says.
 */

import { DurableObject } from "cloudflare:workers";
import type { JWK } from "jose";
import type { AiQuery } from "#workers/contracts/tenant/ai-usage.ts";
import type { BackupReport, RestoreOrder } from "#workers/contracts/tenant/backup.ts";
import type { HealthSnapshot } from "#workers/contracts/tenant/health-snapshot.ts";
import type { SandboxStatus } from "#workers/contracts/tenant/sandbox-status.ts";
import type { AlarmCycle } from "./alarm-cycle.ts";
import type { BackupControl } from "./backup/control.ts";
import type { BackupOutcome, RestoreOutcome } from "./backup/outcome.ts";
import type { TenantEnv } from "./env.ts";
import type { GatewayControl } from "./gateway/process/control.ts";
import { type HealthCheck, type Mode, modeOf } from "./health/check.ts";
import type { HealthService } from "./health/service.ts";
import type { AiUsagePoint } from "./metrics/ai-usage.ts";
import type { UsageMeter } from "./metrics/usage-meter.ts";
import type { SandboxReport } from "./sandbox/report.ts";
import type { SupervisorCalls } from "./supervisor-calls.ts";
import { supervisorPartsOf } from "./supervisor-parts.ts";

export class Supervisor extends DurableObject<TenantEnv> implements SupervisorCalls {
  readonly #gateway: GatewayControl;
  readonly #health: HealthService;
  readonly #backups: BackupControl;
  readonly #usage: UsageMeter;
  readonly #report: SandboxReport;
  readonly #alarm: AlarmCycle;

  constructor(ctx: DurableObjectState, env: TenantEnv) {
    super(ctx, env);
    const { gateway, health, backups, usage, report, alarm } = supervisorPartsOf(ctx, env);
    this.#gateway = gateway;
    this.#health = health;
    this.#backups = backups;
    this.#usage = usage;
    this.#report = report;
    this.#alarm = alarm;
  }

  async snapshot(mode: Mode): Promise<HealthSnapshot> {
    if (mode === "active") await this.#gateway.allow();
    return (await this.#health.check(mode)).snapshot;
  }

  async tick(scheduledTime: string): Promise<HealthCheck> {
    const check = await this.#health.check("passive");
    this.#usage.tick(scheduledTime, check);
    if (check.snapshot.status === "running") this.ctx.waitUntil(this.#backups.backUpIfDue());
    return check;
  }

  countAiUsage(points: AiUsagePoint[]): { left: number } {
    return this.#usage.countAiUsage(points);
  }

  countAiQueries(queries: AiQuery[]): void {
    this.#usage.countAiQueries(queries);
  }

  backUp(order: "any" | "anew" = "any"): Promise<BackupOutcome> {
    return this.#backups.backUp(order === "anew");
  }

  backups(): Promise<BackupReport> {
    return this.#backups.report();
  }

  acceptState(): Promise<BackupOutcome> {
    return this.#backups.acceptState();
  }

  restoreBackup(order: RestoreOrder): Promise<RestoreOutcome> {
    return this.#backups.restore(order);
  }

  async admit(): Promise<boolean> {
    await this.#gateway.allow();
    const { snapshot } = await this.#health.sharedCheck("active");
    return snapshot.status === "running" && this.#gateway.admit(new Date(snapshot.ts));
  }

  restart(): Promise<void> {
    return this.#gateway.restart();
  }

  async cut(routable: boolean): Promise<void> {
    await (routable ? this.#gateway.allow() : this.#gateway.forbid());
    this.#health.stream.cut();
    await this.#gateway.cut();
  }

  status(): Promise<SandboxStatus> {
    return this.#report.status();
  }

  ticketKey(): Promise<JWK> {
    return this.#gateway.ticketKey();
  }

  log(lines: number): Promise<string[]> {
    return this.#report.log(lines);
  }

  override async fetch(request: Request): Promise<Response> {
    if (modeOf(request.url) === "active") await this.#gateway.allow();
    return this.#health.stream.open(request);
  }

  override async alarm(): Promise<void> {
    await this.#alarm.run();
  }

  override webSocketClose(socket: WebSocket, code: number): void {
    // 1005 and 1006 stand for a missing code and may not be sent.
    socket.close(code === 1005 || code === 1006 ? 1000 : code);
  }
}
