/**
 * What the last deployment that came to a good end was made from, and what it gave. As long as nothing of that has changed, the
 * next start need not plan before it says where to look.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Store } from "@tenantry/edge";
import * as z from "zod";
import { parsedJson } from "#automation/json.ts";
import { type DeployedOutputs, type DeploymentJob, deployedOutputs } from "./messages.ts";

const ROOT = join(import.meta.dirname, "../../..");
/** Program, components, rules, Workers, providers and what runs them, and the versions of all packages. */
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
/** Members of tenants are data, in their Access groups: whoever adds one changes nothing that is declared. */
const DATA = ["access_group"] as const;

const record = z.object({ fingerprint: z.string(), outputs: deployedOutputs });

export class LastRun {
  readonly #job: DeploymentJob;
  readonly #account: Store;
  readonly #declared: string;

  /** Reads settings and sources as they are now: what is edited while a deployment runs is not part of it. */
  constructor(job: DeploymentJob, account: Store) {
    this.#job = job;
    this.#account = account;
    this.#declared = declaredBy(job);
  }

  /** The outputs of the last good run, if this one would find nothing changed. */
  recall(): DeployedOutputs | undefined {
    if (!existsSync(this.#path)) return undefined;
    const { data } = record.safeParse(parsedJson(readFileSync(this.#path, "utf8")));
    return data?.fingerprint === this.#fingerprint() ? data.outputs : undefined;
  }

  /** Keeps the outputs of a run that has just come to a good end, and none of its secrets. */
  remember(outputs: DeployedOutputs): void {
    const content: z.infer<typeof record> = {
      fingerprint: this.#fingerprint(),
      outputs: deployedOutputs.parse(outputs),
    };
    writeFileSync(this.#path, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  }

  /** Makes the next start plan before it says anything. */
  forget(): void {
    rmSync(this.#path, { force: true });
  }

  get #path(): string {
    return join(this.#job.directory, "deployment.json");
  }

  #fingerprint(): string {
    const engine = join(this.#job.directory, "pulumi/.pulumi");
    const stacks = filesBelow(join(engine, "stacks"));
    // A lock tells of a run that was cut short.
    const locks = filesBelow(join(engine, "locks"));
    return createHash("sha256")
      .update(JSON.stringify([this.#declared, this.#account.digest(DATA), locks, stacks.map(fileHash)]))
      .digest("hex");
  }
}

function declaredBy(job: DeploymentJob): string {
  const sources = SOURCES.flatMap((name) => filesBelow(join(ROOT, name)));
  const contents = [job.settings, ...sources].map((file) => [file, fileHash(file)]);
  return createHash("sha256")
    .update(JSON.stringify([job, process.version, contents]))
    .digest("hex");
}

function fileHash(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

/** The files in a directory and all below it, or the file itself, in the order of their names; none where there is nothing. */
function filesBelow(start: string): string[] {
  if (!existsSync(start)) return [];
  if (!statSync(start).isDirectory()) return [start];
  return readdirSync(start, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}
