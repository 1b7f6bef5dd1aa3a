/** `npm run upgrade:fixture -- [--checkout DIR] [--from FIXTURE] [--name NAME]`: see `testing/fixture.ts`. */
import { execFileSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { removeDatabase } from "@tenantry/postgres";
import { freePort } from "@tenantry/std/free-port";
import * as z from "zod";
import { killPrograms } from "../testing/edge-program.ts";
import { ROOT } from "../testing/engine.ts";
import { CheckoutStart } from "./testing/checkout-start.ts";
import { type Contents, makeOpenContents, makeSettledContents } from "./testing/contents.ts";
import { layFixture, type Manifest, readManifest, reserveDatabasePort, saveFixture } from "./testing/fixture.ts";

const USAGE = `npm run upgrade:fixture -- [--checkout DIR] [--from FIXTURE] [--name NAME]

  --checkout DIR   checkout that deploys the platform (default: this one)
  --from FIXTURE   has the checkout upgrade this fixture instead of deploying a new platform
  --name NAME      of the fixture (default: the checkout's version and commit)`;

const packageFile = z.object({ version: z.string() });

function versionOf(checkout: string): Manifest["versions"][number] {
  const { version } = packageFile.parse(JSON.parse(readFileSync(join(checkout, "package.json"), "utf8")));
  const commit = execFileSync("git", ["rev-parse", "--short=7", "HEAD"], { cwd: checkout, encoding: "utf8" }).trim();
  return { version, commit };
}

type Ports = Manifest["ports"];

/** Below the system's range for connections. */
const choosePort = () => freePort(randomInt(20_000, 30_000));

async function make(checkout: string, state: string, ports: Ports): Promise<Contents> {
  await reserveDatabasePort(state, ports.database);
  const start = await CheckoutStart.open(checkout, state, ports.edge);
  const settled = await makeSettledContents(start.edge);
  const open = await start.stopWithWorkLeft(() => makeOpenContents(start.edge));
  return { ...settled, ...open };
}

async function upgrade(checkout: string, state: string, from: string): Promise<void> {
  const { ports } = await layFixture(from, state);
  const start = await CheckoutStart.open(checkout, state, ports.edge);
  await start.stopWithWorkLeft(async () => {});
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { checkout: { type: "string" }, from: { type: "string" }, name: { type: "string" } },
  });
  const checkout = resolve(values.checkout ?? ROOT);
  const version = versionOf(checkout);
  const before = values.from === undefined ? undefined : readManifest(values.from);
  const parent = mkdtempSync(join(tmpdir(), "tenantry-fixture-"));
  const state = join(parent, "state");
  try {
    if (values.from !== undefined) await upgrade(checkout, state, values.from);
    const ports = before?.ports ?? { edge: await choosePort(), database: await choosePort() };
    const made = before?.contents ?? (await make(checkout, state, ports));
    const name = values.name ?? `${version.version}-${version.commit}`;
    const bytes = await saveFixture(name, state, {
      versions: [...(before?.versions ?? []), version],
      stoppedAt: new Date().toISOString(),
      ports,
      contents: made,
    });
    process.stdout.write(`Wrote the fixture ${name}: ${bytes} bytes.\n`);
  } finally {
    killPrograms();
    await removeDatabase(join(state, "postgres"));
    rmSync(parent, { recursive: true, force: true });
  }
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n\n${USAGE}\n`);
  process.exitCode = 1;
}
