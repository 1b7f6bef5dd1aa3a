/**
 * A thousand tenants that are declared, and traffic over all of them: their Workers alone, uploaded through the edge's API, since the
 * engine would take too long and gateways would be no measure of the edge.
 */

import { dispatchScript } from "@tenantry/edge/testing/runtime";
import * as z from "zod";
import { call } from "#tests/testing/http.ts";
import type { ByMode, Run } from "../suite.ts";
import type { Footprints } from "./footprint.ts";
import type { RunningEdge } from "./running-edge.ts";

const BOUNDS: ByMode<{ scripts: number }> = { full: { scripts: 1_000 }, smoke: { scripts: 20 } };
const UPLOADS_AT_ONCE = 8;
const REQUESTS_AT_ONCE = 20;
/** No further request is made after this. */
const BUDGET_MS = 200_000;
const SAMPLE_MS = 1_000;
const NAMESPACE = "many";
/** Processes that may run at once: one for each of 40 tenants, two for the account's own Workers, and one for key-value namespaces and buckets. */
const MOST_PROCESSES = 40 + 3;

const result = z.object({ success: z.literal(true) });

export async function manyScripts(edge: RunningEdge, { mode, report, signal }: Run): Promise<void> {
  const { scripts } = BOUNDS[mode];
  const before = await edge.settled();
  const names = Array.from({ length: scripts }, (_, index) => `many-${index}`);
  await declare(edge, names);
  const declared = await edge.settled();

  const seen = { most: before.Workers.processes, heaviest: before.all.resident };
  const sample = setInterval(() => {
    const { Workers, all } = edge.now();
    seen.most = Math.max(seen.most, Workers.processes);
    seen.heaviest = Math.max(seen.heaviest, all.resident);
  }, SAMPLE_MS);
  const begun = performance.now();
  const statuses: number[] = [];
  await spread(names, REQUESTS_AT_ONCE, async (name) => {
    if (signal.aborted || performance.now() - begun > BUDGET_MS) return;
    statuses.push((await call(edge, `${name}.${NAMESPACE}.${edge.domain}`, "/")).status);
  }).finally(() => clearInterval(sample));
  const seconds = (performance.now() - begun) / 1_000;
  const after = await edge.settled();

  const refused = statuses.filter((status) => status !== 200).length;
  report.figures(`${scripts} tenants declared, each asked once, ${REQUESTS_AT_ONCE} at a time`, [
    ["answered", `${statuses.length - refused} of ${statuses.length} in ${seconds.toFixed(0)} s`],
    ["refused or failed", String(refused), { title: "requests refused", value: refused, target: 0 }],
    ["asked in time", `${statuses.length} of ${scripts}`],
    [
      "processes of workerd, most of all",
      String(seen.most),
      { title: "processes of workerd", value: seen.most, target: MOST_PROCESSES },
    ],
    ["everything, most of all", `${seen.heaviest.toFixed(0)} MB resident`],
    ["the edge's own process before", own(before)],
    ["… when they are declared", own(declared)],
    ["… after the traffic", own(after)],
  ]);
}

const own = ({ edge }: Footprints) => `${edge.resident.toFixed(0)} MB resident`;

async function declare(edge: RunningEdge, names: readonly string[]): Promise<void> {
  const namespaces = `/accounts/${edge.accountId}/workers/dispatch/namespaces`;
  await api(edge, "POST", namespaces, JSON.stringify({ name: NAMESPACE }));
  const source = (name: string) => `export default { fetch: () => new Response("${name}") };`;
  await spread(names, UPLOADS_AT_ONCE, (name) =>
    api(edge, "PUT", `${namespaces}/${NAMESPACE}/scripts/${name}`, upload(source(name), [])),
  );
  const bindings = [{ type: "dispatch_namespace", name: "DISPATCHER", namespace: NAMESPACE }];
  await api(
    edge,
    "PUT",
    `/accounts/${edge.accountId}/workers/scripts/${NAMESPACE}`,
    upload(dispatchScript.source, bindings),
  );
  const route = { pattern: `*.${NAMESPACE}.${edge.domain}/*`, script: NAMESPACE };
  await api(edge, "POST", `/zones/${edge.zoneId}/workers/routes`, JSON.stringify(route));
}

function upload(source: string, bindings: object[]): FormData {
  const form = new FormData();
  form.set("metadata", JSON.stringify({ main_module: "index.js", compatibility_date: "2026-07-01", bindings }));
  form.set("index.js", new File([source], "index.js", { type: "application/javascript+module" }));
  return form;
}

async function api(edge: RunningEdge, method: string, path: string, body: string | FormData): Promise<void> {
  const headers = {
    authorization: `Bearer ${edge.apiToken}`,
    ...(typeof body === "string" && { "content-type": "application/json" }),
  };
  const answer = await fetch(`${edge.api}${path}`, { method, headers, body });
  const said = await answer.text();
  if (!result.safeParse(JSON.parse(said)).success) throw new Error(`${method} ${path} answered ${said}`);
}

/** Does `work` for all items, so many at a time. */
async function spread<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  const one = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, one));
}
