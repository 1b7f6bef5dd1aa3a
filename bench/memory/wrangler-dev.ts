/** `wrangler dev` with one Worker, for comparison, although it has no platform. */
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@tenantry/std/free-port";
import { Client } from "../client.ts";
import { secondsText } from "../report.ts";
import type { Run } from "../suite.ts";
import { waitFor } from "../waiting.ts";
import { describeFootprint, footprintOf } from "./footprint.ts";
import type { RunningEdge } from "./running-edge.ts";

const WRANGLER = join(import.meta.dirname, "../../node_modules/wrangler/bin/wrangler.js");
const START_MS = 60_000;
const SETTINGS = { name: "one", main: "index.js", compatibility_date: "2026-07-01" };
const SOURCE = `export default { fetch: () => new Response("one") };`;

export async function wranglerDev(edge: RunningEdge, run: Run): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "tenantry-wrangler-"));
  const client = new Client();
  await writeFile(join(directory, "wrangler.json"), JSON.stringify(SETTINGS));
  await writeFile(join(directory, "index.js"), SOURCE);
  const port = await freePort();
  const startedAt = performance.now();
  const child = spawn(process.execPath, [WRANGLER, "dev", ...wranglerOptions(directory, port, await freePort())], {
    cwd: directory,
    // Only this process sends signals to its process group.
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...offlineVariables(directory) },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += chunk;
    });
  }
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  try {
    const target = { port, path: "/", headers: {} };
    const running = waitFor(() => {
      run.signal.throwIfAborted();
      return client.call(target);
    }, START_MS);
    const exited = ended.then(() => Promise.reject(new Error("it exited")));
    await Promise.race([running, exited]).catch((error: unknown) => {
      throw new Error(`wrangler dev did not respond:\n${output}`, { cause: error });
    });
    const first = performance.now() - startedAt;
    run.report.figures("npm start with a platform of four tenants, and wrangler dev with one Worker", [
      ["npm start, first start, until all is deployed", secondsText(edge.startedIn)],
      ["wrangler dev, until the first response", secondsText(first)],
      ["memory of wrangler dev", describeFootprint(footprintOf(directory))],
    ]);
  } finally {
    client.close();
    // The process group includes workerd.
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGTERM");
    await ended;
    await rm(directory, { recursive: true, force: true });
  }
}

const wranglerOptions = (directory: string, port: number, inspector: number): string[] => [
  ...["--local", "--ip", "127.0.0.1", "--port", String(port), "--inspector-port", String(inspector)],
  ...["--persist-to", join(directory, "state"), "--config", join(directory, "wrangler.json")],
  ...["--show-interactive-dev-session=false", "--log-level", "warn"],
];

/** Prevents network requests and files in the user's home. */
const offlineVariables = (directory: string): Record<string, string> => ({
  CI: "1",
  HOME: directory,
  XDG_CONFIG_HOME: directory,
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_SEND_ERROR_REPORTS: "false",
});
