/** What a tenant needs of any container engine: run with the stand-in everywhere, and with a real one where there is one. */
import { afterEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import type { ContainerEngine } from "../../../local/containers/engine.ts";
import { exportOf } from "../metrics/testing/otlp-export.ts";
import { addNote, backUp, notes, running } from "./backup-tenant.ts";
import { eventually, startTenant, type Tenant, type TenantOptions } from "./harness.ts";

/** A container without namespaces has its files elsewhere. */
const place = (variable: string, standard: string): string => `\${${variable}:-${standard}}`;
const LOGS = place("LOG_DIR", "/workspace/logs");
const STATE = place("STATE_DIR", "/workspace/state");
const MEGABYTES_3 = 3 * 1024 * 1024;
/** Exports metrics as the gateway of the process id would. */
const EXPORT = `
  const [pid, body] = process.argv.slice(1);
  const environment = require("node:fs").readFileSync("/proc/" + pid + "/environ", "utf8").split("\\0");
  const [address] = environment.flatMap((entry) => /^OTEL_EXPORTER_OTLP_METRICS_ENDPOINT=(.*)/.exec(entry)?.[1] ?? []);
  fetch(address, { method: "POST", headers: { "content-type": "application/json" }, body }).then(({ status }) => console.log(status));`;
/** Asks for a path of the AI gateway's host that nobody has, as the gateway of the process id would. */
const ASK = `
  const environment = require("node:fs").readFileSync("/proc/" + process.argv[1] + "/environ", "utf8").split("\\0");
  const [address] = environment.flatMap((entry) => /^AI_GATEWAY_URL=(.*)/.exec(entry)?.[1] ?? []);
  fetch(address + "/v1/a/b/compat", { method: "POST", body: "{}" })
    .then(async (answer) => console.log(answer.status, (await answer.json()).name));`;
const SUM = `
  const bytes = require("node:fs").readFileSync((process.env.STATE_DIR || "/workspace/state") + "/large");
  console.log(require("node:crypto").createHash("sha256").update(bytes).digest("hex"));`;

/** @param openEngine on a tenant's directory. Default: the stand-in */
export function containerCases(openEngine?: (directory: string) => Promise<ContainerEngine>): void {
  let tenant: Tenant | undefined;
  afterEach(async () => {
    await tenant?.stop();
    tenant = undefined;
  });

  const open = async (bindings: TenantOptions["bindings"] = {}): Promise<Tenant> => {
    tenant = await startTenant(undefined, { bindings, ...(openEngine && { openEngine }) });
    return tenant;
  };
  const shell = (one: Tenant, command: string) => one.inside(["sh", "-c", command]);
  /** How often a gateway has begun to listen in this container. */
  const begun = async (one: Tenant) => (await shell(one, `cat "${LOGS}/gateway.log"`)).split("listening").length - 1;

  test("a cold start, and what passes to the gateway: pages, streams, WebSockets, its metrics and calls of models", async () => {
    const one = await open();
    expect(await one.health("?passive=1")).toMatchObject({ status: "stopped" });
    const { processId } = await running(one);
    expect(Number(processId)).toBeGreaterThan(1);
    expect((await shell(one, `tr '\\0' '\\n' </proc/${processId}/environ`)).split("\n")).toContain(
      `TENANTRY_PROCESS=gateway:${processId}`,
    );
    expect(await (await one.fetch("/")).text()).toContain("Gateway of");
    const chunks: string[] = [];
    for await (const chunk of (await one.fetch("/api/count?to=3&everyMs=50")).body ?? [])
      chunks.push(new TextDecoder().decode(chunk));
    expect([chunks.join(""), chunks.length > 1]).toEqual(["1\n2\n3\n", true]);

    const socket = new WebSocket(`${one.url.replace("http", "ws")}/echo`);
    await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
    const answer = new Promise<Buffer>((resolve) => socket.once("message", (data) => resolve(data as Buffer)));
    socket.send("ü".repeat(60_000));
    expect((await answer).toString("utf8")).toBe("ü".repeat(60_000));
    const closed = new Promise<number>((resolve) => socket.once("close", resolve));
    socket.close(1000);
    expect(await closed).toBe(1000);

    const body = exportOf(3, { time: 60, model: "reported" });
    expect(await one.inside(["node", "-e", EXPORT, processId ?? "", body])).toBe("200\n");
    await eventually(() => one.points().find(({ blobs }) => blobs[6] === "reported"));
    expect(await one.inside(["node", "-e", ASK, processId ?? ""])).toBe("404 TenantryError\n");
  });

  test("a gateway that is killed is started again, beside none", async () => {
    const one = await open();
    const { processId } = await running(one);
    await shell(one, `kill -9 ${processId}`);
    const again = await one.until(({ status, processId: id }) => status === "running" && id !== processId);
    expect(await begun(one)).toBe(2);
    expect(await shell(one, `[ -d /proc/${processId} ] || echo gone`)).toBe("gone\n");
    expect(again.status).toBe("running");
  });

  test("what ends leaves no zombie behind", async () => {
    const one = await open();
    await running(one);
    // Its parent ends first, so that the container's first process inherits it.
    const orphan = (await shell(one, "sleep 0.2 >/dev/null 2>&1 & echo $!")).trim();
    await eventually(async () => (await shell(one, `[ -d /proc/${orphan} ] || echo gone`)) === "gone\n");
  });

  test("a backup of several megabytes is whole, and is what a waking begins with", async () => {
    const one = await open();
    await running(one);
    await addNote(one, "kept");
    await shell(one, `head -c ${MEGABYTES_3} /dev/urandom > "${STATE}/large"`);
    const sum = await one.inside(["node", "-e", SUM]);
    expect((await backUp(one)).archive.size).toBeGreaterThan(MEGABYTES_3);
    await one.restartWorker({ SLEEP_AFTER_SECONDS: "2" });
    await running(one);
    await eventually(() =>
      shell(one, "true").then(
        () => false,
        (error) => String(error).includes("404"),
      ),
    );
    // The container is gone a moment before its Worker knows.
    await one.until(({ status }) => status === "stopped", "?passive=1");
    expect((await running(one)).restoreStatus).toEqual({ hadBackup: true, restored: true });
    expect(await one.inside(["node", "-e", SUM])).toBe(sum);
    expect(await notes(one)).toEqual(["kept"]);
  });

  test("a Worker that starts anew takes up the container that runs", async () => {
    const one = await open();
    const { processId } = await running(one);
    await addNote(one, "before");
    await one.restartWorker();
    expect((await one.until(({ status }) => status === "running", "?passive=1")).processId).toBe(processId);
    expect(await notes(one)).toEqual(["before"]);
    expect(await begun(one)).toBe(1);
  });

  test("after the edge's end and start the container has the disk it had", async () => {
    const one = await open();
    await running(one);
    await addNote(one, "in a backup");
    await backUp(one);
    await addNote(one, "in none");
    await shell(one, `echo here > "${LOGS}/only-here"`);
    await one.restartEngine();
    await running(one);
    expect(await notes(one)).toEqual(["in a backup", "in none"]);
    expect(await shell(one, `cat "${LOGS}/only-here"`)).toBe("here\n");
  });
}
