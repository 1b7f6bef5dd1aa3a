/** A thousand declared tenants with traffic. Only their Workers are uploaded: the engine would take too long. */
import { dispatchScript } from "@tenantry/edge/testing/runtime";
import * as z from "zod";
import { call } from "#tests/testing/http.ts";
import type { ByMode, Run } from "../suite.ts";
import type { Footprints } from "./footprint.ts";
import type { RunningEdge } from "./running-edge.ts";

const BOUNDS: ByMode<{ scripts: number }> = { full: { scripts: 1_000 }, smoke: { scripts: 20 } };
const UPLOAD_CONCURRENCY = 8;
const REQUEST_CONCURRENCY = 20;
/** No further request begins afterwards. */
const BUDGET_MS = 200_000;
const SAMPLE_MS = 1_000;
const NAMESPACE = "many";
/** One for each of 40 tenants, two for the account's Workers, and one for KV namespaces and buckets. */
const MAX_PROCESSES = 40 + 3;

const result = z.object({ success: z.literal(true) });

export async function manyScripts(edge: RunningEdge, { mode, report, signal }: Run): Promise<void> {
  const { scripts } = BOUNDS[mode];
  const before = await edge.settled();
  const names = Array.from({ length: scripts }, (_, index) => `many-${index}`);
  await declareScripts(edge, names);
  const declared = await edge.settled();

  const peak = { processes: before.Workers.processes, resident: before.all.resident };
  const sample = setInterval(() => {
    const { Workers, all } = edge.now();
    peak.processes = Math.max(peak.processes, Workers.processes);
    peak.resident = Math.max(peak.resident, all.resident);
  }, SAMPLE_MS);
  const startedAt = performance.now();
  const statuses: number[] = [];
  await runConcurrently(names, REQUEST_CONCURRENCY, async (name) => {
    if (signal.aborted || performance.now() - startedAt > BUDGET_MS) return;
    statuses.push((await call(edge, `${name}.${NAMESPACE}.${edge.domain}`, "/")).status);
  }).finally(() => clearInterval(sample));
  const seconds = (performance.now() - startedAt) / 1_000;
  const after = await edge.settled();

  const refused = statuses.filter((status) => status !== 200).length;
  report.figures(`${scripts} declared tenants, one request each, ${REQUEST_CONCURRENCY} at a time`, [
    ["answered", `${statuses.length - refused} of ${statuses.length} in ${seconds.toFixed(0)} s`],
    ["refused or failed", String(refused), { title: "requests refused", value: refused, target: 0 }],
    ["requested in time", `${statuses.length} of ${scripts}`],
    [
      "processes of workerd, maximum",
      String(peak.processes),
      { title: "processes of workerd", value: peak.processes, target: MAX_PROCESSES },
    ],
    ["everything, maximum", `${peak.resident.toFixed(0)} MB resident`],
    ["the edge's own process before", edgeMemory(before)],
    ["… after the declaration", edgeMemory(declared)],
    ["… after the traffic", edgeMemory(after)],
  ]);
}

const edgeMemory = ({ edge }: Footprints) => `${edge.resident.toFixed(0)} MB resident`;

async function declareScripts(edge: RunningEdge, names: readonly string[]): Promise<void> {
  const namespaces = `/accounts/${edge.accountId}/workers/dispatch/namespaces`;
  await callApi(edge, "POST", namespaces, JSON.stringify({ name: NAMESPACE }));
  const source = (name: string) => `export default { fetch: () => new Response("${name}") };`;
  await runConcurrently(names, UPLOAD_CONCURRENCY, (name) =>
    callApi(edge, "PUT", `${namespaces}/${NAMESPACE}/scripts/${name}`, uploadForm(source(name), [])),
  );
  const bindings = [{ type: "dispatch_namespace", name: "DISPATCHER", namespace: NAMESPACE }];
  await callApi(
    edge,
    "PUT",
    `/accounts/${edge.accountId}/workers/scripts/${NAMESPACE}`,
    uploadForm(dispatchScript.source, bindings),
  );
  const route = { pattern: `*.${NAMESPACE}.${edge.domain}/*`, script: NAMESPACE };
  await callApi(edge, "POST", `/zones/${edge.zoneId}/workers/routes`, JSON.stringify(route));
}

function uploadForm(source: string, bindings: object[]): FormData {
  const form = new FormData();
  form.set("metadata", JSON.stringify({ main_module: "index.js", compatibility_date: "2026-07-01", bindings }));
  form.set("index.js", new File([source], "index.js", { type: "application/javascript+module" }));
  return form;
}

async function callApi(edge: RunningEdge, method: string, path: string, body: string | FormData): Promise<void> {
  const headers = {
    authorization: `Bearer ${edge.apiToken}`,
    ...(typeof body === "string" && { "content-type": "application/json" }),
  };
  const response = await fetch(`${edge.api}${path}`, { method, headers, body });
  const text = await response.text();
  if (!result.safeParse(JSON.parse(text)).success) throw new Error(`${method} ${path} failed: ${text}`);
}

async function runConcurrently<T>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = items.values();
  const worker = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}
