/** Cases that every container engine must pass. They run with the emulation, and with a real engine if one is available. */

import type { ContainerEngine } from "@tenantry/edge/containers";
import { expect } from "vitest";
import { WebSocket } from "ws";
import { exportOf } from "../metrics/testing/otlp-export.ts";
import { addNote, backUp, notes, running } from "./backup-tenant.ts";
import { eventually, type Tenant } from "./harness.ts";
import { test as base } from "./test.ts";

/** A container without namespaces has other paths. */
const place = (variable: string, standard: string): string => `\${${variable}:-${standard}}`;
const LOGS = place("LOG_DIR", "/workspace/logs");
const STATE = place("STATE_DIR", "/workspace/state");
const MEGABYTES_3 = 3 * 1024 * 1024;
/** Exports metrics as the gateway with the process id does. */
const EXPORT = `
  const [pid, body] = process.argv.slice(1);
  const environment = require("node:fs").readFileSync("/proc/" + pid + "/environ", "utf8").split("\\0");
  const [address] = environment.flatMap((entry) => /^OTEL_EXPORTER_OTLP_METRICS_ENDPOINT=(.*)/.exec(entry)?.[1] ?? []);
  fetch(address, { method: "POST", headers: { "content-type": "application/json" }, body }).then(({ status }) => console.log(status));`;
/** Requests an unknown path of the AI gateway's host as the gateway with the process id does. */
const REQUEST = `
  const environment = require("node:fs").readFileSync("/proc/" + process.argv[1] + "/environ", "utf8").split("\\0");
  const [address] = environment.flatMap((entry) => /^AI_GATEWAY_URL=(.*)/.exec(entry)?.[1] ?? []);
  fetch(address + "/v1/a/b/compat", { method: "POST", body: "{}" })
    .then(async (answer) => console.log(answer.status, (await answer.json()).name));`;
const SUM = `
  const bytes = require("node:fs").readFileSync((process.env.STATE_DIR || "/workspace/state") + "/large");
  console.log(require("node:crypto").createHash("sha256").update(bytes).digest("hex"));`;

/** @param openEngine default: the emulation */
export function containerCases(openEngine?: (directory: string) => Promise<ContainerEngine>): void {
  const test = base.extend("tenant", ({ openTenant }) => openTenant(undefined, openEngine && { openEngine }));
  const shell = (tenant: Tenant, command: string) => tenant.inside(["sh", "-c", command]);
  /** How often a gateway has begun to listen in this container. */
  const begun = async (tenant: Tenant) =>
    (await shell(tenant, `cat "${LOGS}/gateway.log"`)).split("listening").length - 1;

  test("starts cold and passes pages, streams, WebSockets, metrics and model calls", async ({ tenant }) => {
    expect(await tenant.health("?passive=1")).toMatchObject({ status: "stopped" });
    const { processId } = await running(tenant);
    expect(Number(processId)).toBeGreaterThan(1);
    expect((await shell(tenant, `tr '\\0' '\\n' </proc/${processId}/environ`)).split("\n")).toContain(
      `TENANTRY_PROCESS=gateway:${processId}`,
    );
    expect(await (await tenant.fetch("/")).text()).toContain("Gateway of");
    const chunks: string[] = [];
    for await (const chunk of (await tenant.fetch("/api/count?to=3&everyMs=50")).body ?? [])
      chunks.push(new TextDecoder().decode(chunk));
    expect([chunks.join(""), chunks.length > 1]).toEqual(["1\n2\n3\n", true]);

    const socket = new WebSocket(`${tenant.url.replace("http", "ws")}/echo`);
    await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
    const answer = new Promise<Buffer>((resolve) => socket.once("message", (data) => resolve(data as Buffer)));
    socket.send("ü".repeat(60_000));
    expect((await answer).toString("utf8")).toBe("ü".repeat(60_000));
    const closed = new Promise<number>((resolve) => socket.once("close", resolve));
    socket.close(1000);
    expect(await closed).toBe(1000);

    const body = exportOf(3, { time: 60, model: "reported" });
    expect(await tenant.inside(["node", "-e", EXPORT, processId ?? "", body])).toBe("200\n");
    await eventually(() => tenant.points().find(({ blobs }) => blobs[6] === "reported"));
    expect(await tenant.inside(["node", "-e", REQUEST, processId ?? ""])).toBe("404 TenantryError\n");
  });

  test("restarts a killed gateway, and runs one only", async ({ tenant }) => {
    const { processId } = await running(tenant);
    await shell(tenant, `kill -9 ${processId}`);
    const again = await tenant.until(({ status, processId: id }) => status === "running" && id !== processId);
    expect(await begun(tenant)).toBe(2);
    expect(await shell(tenant, `[ -d /proc/${processId} ] || echo gone`)).toBe("gone\n");
    expect(again.status).toBe("running");
  });

  test("leaves no zombie processes", async ({ tenant }) => {
    await running(tenant);
    // Its parent ends first, so the container's first process adopts it.
    const orphan = (await shell(tenant, "sleep 0.2 >/dev/null 2>&1 & echo $!")).trim();
    await eventually(async () => (await shell(tenant, `[ -d /proc/${orphan} ] || echo gone`)) === "gone\n");
  });

  test("backs up several megabytes completely, and restores them on wake-up", async ({ tenant }) => {
    await running(tenant);
    await addNote(tenant, "kept");
    await shell(tenant, `head -c ${MEGABYTES_3} /dev/urandom > "${STATE}/large"`);
    const sum = await tenant.inside(["node", "-e", SUM]);
    expect((await backUp(tenant)).archive.size).toBeGreaterThan(MEGABYTES_3);
    await tenant.restartWorker({ SLEEP_AFTER_SECONDS: "2" });
    await running(tenant);
    await eventually(() =>
      shell(tenant, "true").then(
        () => false,
        (error) => String(error).includes("404"),
      ),
    );
    // The container ends a moment before its Worker notices.
    await tenant.until(({ status }) => status === "stopped", "?passive=1");
    expect((await running(tenant)).restoreStatus).toEqual({ hadBackup: true, restored: true });
    expect(await tenant.inside(["node", "-e", SUM])).toBe(sum);
    expect(await notes(tenant)).toEqual(["kept"]);
  });

  test("continues with the running container when the Worker restarts", async ({ tenant }) => {
    const { processId } = await running(tenant);
    await addNote(tenant, "before");
    await tenant.restartWorker();
    expect((await tenant.until(({ status }) => status === "running", "?passive=1")).processId).toBe(processId);
    expect(await notes(tenant)).toEqual(["before"]);
    expect(await begun(tenant)).toBe(1);
  });

  test("keeps the container's disk when the edge restarts", async ({ tenant }) => {
    await running(tenant);
    await addNote(tenant, "in a backup");
    await backUp(tenant);
    await addNote(tenant, "in none");
    await shell(tenant, `echo here > "${LOGS}/only-here"`);
    await tenant.restartEngine();
    await running(tenant);
    expect(await notes(tenant)).toEqual(["in a backup", "in none"]);
    expect(await shell(tenant, `cat "${LOGS}/only-here"`)).toBe("here\n");
  });
}
