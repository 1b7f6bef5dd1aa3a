/** Stores the inputs and outputs of the last successful deployment. While the inputs are unchanged, the next start need not plan first. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Store } from "@tenantry/edge";
import { parsedJson } from "@tenantry/std/parsed-json";
import * as z from "zod";
import { type DeployedOutputs, type DeploymentJob, deployedOutputs } from "./messages.ts";

const ROOT = join(import.meta.dirname, "../../..");
const SOURCES = [
  "Pulumi.yaml",
  "package-lock.json",
  "index.ts",
  "stack",
  "components",
  "database",
  "domain",
  "local",
  "packages",
  "workers",
];
/** Members of tenants are data that a deployment does not declare. */
const DATA = ["access_group"] as const;

const record = z.object({ fingerprint: z.string(), outputs: deployedOutputs });

export class LastRun {
  readonly #job: DeploymentJob;
  readonly #account: Store;
  readonly #declared: string;

  /** Reads settings and sources now: later edits are not part of this deployment. */
  constructor(job: DeploymentJob, account: Store) {
    this.#job = job;
    this.#account = account;
    this.#declared = declaredBy(job);
  }

  recall(): DeployedOutputs | undefined {
    if (!existsSync(this.#path)) return undefined;
    const { data } = record.safeParse(parsedJson(readFileSync(this.#path, "utf8")));
    return data?.fingerprint === this.#fingerprint() ? data.outputs : undefined;
  }

  remember(outputs: DeployedOutputs): void {
    const content = { fingerprint: this.#fingerprint(), outputs: deployedOutputs.parse(outputs) };
    writeFileSync(this.#path, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  }

  forget(): void {
    rmSync(this.#path, { force: true });
  }

  get #path(): string {
    return join(this.#job.directory, "deployment.json");
  }

  #fingerprint(): string {
    const engine = join(this.#job.directory, "pulumi/.pulumi");
    const stacks = filesBelow(join(engine, "stacks"));
    // A lock means that a run was interrupted.
    const locks = filesBelow(join(engine, "locks"));
    return sha256(JSON.stringify([this.#declared, this.#account.digest(DATA), locks, stacks.map(fileHash)]));
  }
}

function declaredBy(job: DeploymentJob): string {
  const sources = SOURCES.flatMap((name) => filesBelow(join(ROOT, name)));
  const contents = [job.settings, ...sources].map((file) => [file, fileHash(file)]);
  return sha256(JSON.stringify([job, process.version, contents]));
}

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest("hex");

const fileHash = (file: string) => sha256(readFileSync(file));

/** Returns a file, or the sorted files in a directory and below; none if it does not exist. */
function filesBelow(start: string): string[] {
  if (!existsSync(start)) return [];
  if (!statSync(start).isDirectory()) return [start];
  return readdirSync(start, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}
