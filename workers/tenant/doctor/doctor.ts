/** Runs the gateway's doctor in the container. Concurrent orders share one run. The last report is kept in the object's storage. */
import { type StatedError, stateError } from "#domain/errors/stated.ts";
import { workerErrors } from "#domain/errors/tenants/worker.ts";
import type { Requester } from "#workers/contracts/tenant/backup.ts";
import { type DoctorFault, type DoctorReport, type DoctorRun, doctorReport } from "#workers/contracts/tenant/doctor.ts";
import type { BackupOutcome } from "../backup/outcome.ts";
import type { RecordEvent } from "../event-log.ts";
import { duringRestart, type Restart } from "../gateway/during-restart.ts";
import type { DoctorOutcome, SandboxPort } from "../sandbox/port.ts";
import type { KeyValueStorage } from "../storage.ts";

const KEY = "doctor";
const PROBE_MS = 3_000;

export interface DoctorOptions {
  storage: KeyValueStorage;
  sandbox: Pick<SandboxPort, "listProcesses" | "runDoctor">;
  backUp: (by: Requester | undefined) => Promise<BackupOutcome>;
  restart: Restart;
  /** Postpones sleep. */
  recordCall: () => Promise<void>;
  /** Removes secrets from a text. */
  mask: (text: string) => string;
  record: RecordEvent;
  waitUntil: (work: Promise<unknown>) => void;
}

class RunFailed extends Error {
  readonly kind: DoctorFault;

  constructor(kind: DoctorFault, details: string) {
    super(details);
    this.kind = kind;
  }
}

export type OrderedRun = { report: DoctorReport } | { refused: StatedError };

export class Doctor {
  readonly #o: DoctorOptions;
  /** The run in progress. */
  #run: DoctorRun | undefined;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: DoctorOptions) {
    this.#o = options;
  }

  /** Starts a run, or joins the one in progress. @param by who requests it */
  order(kind: DoctorRun["kind"], by?: Requester): Promise<OrderedRun> {
    const ordered = this.#queue.then(() => this.#order(kind, by));
    this.#queue = ordered.catch(() => {});
    return ordered;
  }

  async report(): Promise<DoctorReport> {
    const stored = doctorReport.safeParse(await this.#o.storage.get(KEY)).data ?? { findings: [] };
    if (this.#run !== undefined) return { ...stored, run: this.#run };
    const { run } = stored;
    if (run?.state !== "running") return stored;
    // The object was evicted during the run.
    return { ...stored, run: { ...run, state: "failed", fault: { kind: "interrupted", details: "" } } };
  }

  async #order(kind: DoctorRun["kind"], by: Requester | undefined): Promise<OrderedRun> {
    const { sandbox, recordCall, storage, waitUntil } = this.#o;
    if (this.#run !== undefined) {
      if (kind === "repair" && this.#run.kind === "check")
        return { refused: stateError(workerErrors.doctor_in_progress) };
      return { report: await this.report() };
    }
    const { activity } = await sandbox.listProcesses(AbortSignal.timeout(PROBE_MS));
    if (activity === undefined) return { refused: stateError(workerErrors.doctor_needs_awake_container) };
    await recordCall();
    const run: DoctorRun = {
      kind,
      state: "running",
      step: kind === "check" ? "checking" : "backing_up",
      startedAt: new Date().toISOString(),
    };
    await storage.put(KEY, { ...(await this.report()), run });
    this.#run = run;
    waitUntil(this.#carryOut(run, by));
    return { report: await this.report() };
  }

  async #carryOut(begun: DoctorRun, by: Requester | undefined): Promise<void> {
    const { storage, record } = this.#o;
    const before = await this.report();
    let result: Pick<DoctorReport, "findings" | "checkedAt"> = before;
    let ended: Partial<DoctorRun> = { state: "done" };
    try {
      if (begun.kind === "repair") await this.#repair(by);
      result = await this.#check(before);
    } catch (error) {
      const [kind, details] =
        error instanceof RunFailed ? [error.kind, error.message] : ["failed" as const, String(error)];
      ended = { state: "failed", fault: { kind, details: this.#o.mask(details) } };
    }
    const endedAt = new Date().toISOString();
    const run = { ...(this.#run ?? begun), ...ended, endedAt };
    record(`doctor.${run.kind}`, { state: run.state, ...run.fault });
    const { findings, checkedAt } = result;
    try {
      await storage.put(KEY, { findings, ...(checkedAt && { checkedAt }), run });
    } finally {
      this.#run = undefined;
    }
  }

  #proceed(change: Partial<DoctorRun>): void {
    if (this.#run !== undefined) this.#run = { ...this.#run, ...change };
  }

  async #repair(by: Requester | undefined): Promise<void> {
    const { backUp, restart, sandbox } = this.#o;
    const backup = await backUp(by).catch((error: unknown) => {
      throw new RunFailed("not_backed_up", String(error));
    });
    if ("refused" in backup && !backup.empty) throw new RunFailed("not_backed_up", backup.refused.message);
    this.#proceed({ step: "repairing", ...("manifest" in backup && { backup: backup.manifest.id }) });
    const repair = await duringRestart(restart, () => sandbox.runDoctor(true));
    if (repair === undefined) throw new RunFailed("restarting", "");
    required(repair.result);
    this.#proceed({ step: "checking" });
  }

  async #check({ findings: known }: DoctorReport): Promise<Pick<DoctorReport, "findings" | "checkedAt">> {
    const { mask, sandbox } = this.#o;
    const checkedAt = new Date().toISOString();
    const sinceByKey = new Map(known.map((finding) => [keyOf(finding), finding.since]));
    const found = required(await sandbox.runDoctor(false));
    const findings = found.map(({ path, hint, ...finding }) => {
      const masked = {
        ...finding,
        message: mask(finding.message),
        ...(path !== undefined && { path: mask(path) }),
        ...(hint !== undefined && { hint: mask(hint) }),
      };
      return { ...masked, since: sinceByKey.get(keyOf(masked)) ?? checkedAt };
    });
    return { findings, checkedAt };
  }
}

const keyOf = ({
  check,
  path = "",
  message,
}: DoctorReport["findings"][number] | Omit<DoctorReport["findings"][number], "since">) =>
  JSON.stringify([check, path, message]);

/** @throws RunFailed */
function required(outcome: DoctorOutcome) {
  if ("fault" in outcome) throw new RunFailed(outcome.fault, outcome.details);
  return outcome.findings;
}
