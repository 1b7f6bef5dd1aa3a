import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ProcessList, processList, startAnswer } from "../../workers/contracts/sandbox.ts";
import { findProcesses } from "./processes.ts";
import { Sandbox } from "./sandbox.ts";
import { type Sandboxes, startSandboxes } from "./sandboxes.ts";

const repository = join(import.meta.dirname, "../..");
const container = join(repository, "workers/tenant/container");
const startScript = join(container, "start-gateway.mjs");
const reference = ["env", "REFERENCE_GATEWAY_START_MS=200", process.execPath, join(container, "reference-gateway.mjs")];
const fault = (mode: string) => [process.execPath, join(repository, "workers/tenant/testing/fault-gateway.mjs"), mode];
const acme = { namespace: "tenants", name: "tenant-acme", className: "Sandbox" };
const globex = { namespace: "tenants", name: "tenant-globex", className: "Sandbox" };
const env = { GATEWAY_TOKEN: "secret-token", TENANT_SLUG: "acme" };

let directory: string;
let open: Sandboxes[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "sandboxes-test-"));
  open = [];
});

afterEach(async () => {
  for (const sandboxes of open) await sandboxes.stop();
  expect(findProcesses(directory)).toEqual([]);
  rmSync(directory, { recursive: true, force: true });
});

async function start(gatewayCommand: string[] = reference): Promise<Sandboxes> {
  const sandboxes = await startSandboxes({ directory, startScript, gatewayCommand, log: () => {} });
  open.push(sandboxes);
  return sandboxes;
}

interface Answer {
  status: number;
  headers: IncomingMessage["headers"];
  text: string;
  /** The body broke off. */
  broken: boolean;
}

function call(
  socketPath: string,
  method: string,
  path: string,
  options: { body?: unknown; port?: number; token?: string } = {},
) {
  const headers: Record<string, string> = {};
  if (options.port !== undefined) headers["x-sandbox-port"] = String(options.port);
  if (options.token !== undefined) headers.authorization = `Bearer ${options.token}`;
  return new Promise<Answer>((resolve, reject) => {
    const outgoing = request({ socketPath, method, path, headers }, (response) => {
      let text = "";
      const done = (broken: boolean) =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, broken });
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => done(false));
      response.on("error", () => done(true));
    });
    outgoing.on("error", reject);
    outgoing.end(options.body === undefined ? undefined : JSON.stringify(options.body));
  });
}

const list = async (socket: string): Promise<ProcessList> =>
  processList.parse(JSON.parse((await call(socket, "GET", "/processes")).text));
const launch = (socket: string) => call(socket, "PUT", "/processes/gateway-start", { body: { env } });

async function eventually<T>(condition: () => Promise<T | false | undefined> | T | false | undefined): Promise<T> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > deadline) throw new Error("the condition did not come true within a minute");
    await delay(20);
  }
}

/** Until the startup script is gone and a gateway runs. */
const running = (socket: string) =>
  eventually(async () => {
    const { processes } = await list(socket);
    return processes.length === 1 && processes[0]?.type === "gateway" && processes[0];
  });

describe("a sandbox's life", () => {
  test("the startup script runs first, then the gateway alone, behind its port", async () => {
    const socket = await (await start()).socket(acme);
    expect((await list(socket)).processes).toEqual([]);
    expect(await call(socket, "GET", "/health", { port: 18789 })).toMatchObject({
      status: 502,
      headers: { "x-sandbox-error": "closed" },
    });
    const launched = await launch(socket);
    expect(launched.status).toBe(201);
    expect((await list(socket)).processes.map(({ type }) => type)).toContain("script");
    await running(socket);
    expect(JSON.parse((await call(socket, "GET", "/health", { port: 18789 })).text)).toEqual({
      ok: true,
      status: "live",
    });
    expect((await call(socket, "GET", "/", { port: 18789 })).status).toBe(401);
    expect((await call(socket, "GET", "/", { port: 18789, token: env.GATEWAY_TOKEN })).text).toContain("acme");
    expect((await call(socket, "GET", "/", { port: 4000 })).headers["x-sandbox-error"]).toBe("closed");
  });

  test("fifty starts at once start one script and one gateway", async () => {
    const socket = await (await start()).socket(acme);
    const answers = (await Promise.all(Array.from({ length: 50 }, () => launch(socket)))).map(({ text }) =>
      startAnswer.parse(JSON.parse(text)),
    );
    expect(answers.filter(({ started }) => started)).toHaveLength(1);
    const scripts = answers.filter(({ process }) => process.type === "script").map(({ process }) => process.id);
    expect(new Set(scripts).size).toBe(1);
    const { id } = await running(socket);
    expect(startAnswer.parse(JSON.parse((await launch(socket)).text))).toMatchObject({
      started: false,
      process: { id, type: "gateway" },
    });
  });

  test("starts that all looked before any of them acted still start one gateway", async () => {
    const root = join(directory, "tenants/tenant-acme");
    const make = () => new Sandbox({ root, startScript, gatewayCommand: reference, log: () => {} });
    const [sandbox, other] = [make(), make()];
    try {
      // Each call runs up to its first wait before the next begins; the second object knows nothing of the first's lock.
      const calls = Array.from({ length: 20 }, () => sandbox.start(env));
      const rival = other.start(env);
      expect((await Promise.all(calls)).filter(({ started }) => started)).toHaveLength(1);
      await rival;
      await eventually(() => {
        const types = findProcesses(root).map(({ type }) => type);
        expect(types.filter((type) => type === "gateway").length).toBeLessThan(2);
        return types.length === 1 && types[0] === "gateway";
      });
    } finally {
      await sandbox.close();
    }
  });

  test("a kill ends everything, and a new start finds its state", async () => {
    const sandboxes = await start();
    const socket = await sandboxes.socket(acme);
    await launch(socket);
    const { id } = await running(socket);
    await call(socket, "GET", "/", { port: 18789, token: env.GATEWAY_TOKEN });
    expect(JSON.parse((await call(socket, "DELETE", "/processes")).text)).toEqual({ killed: 1 });
    expect((await list(socket)).processes).toEqual([]);
    await launch(socket);
    expect((await running(socket)).id).not.toBe(id);
    expect((await call(socket, "GET", "/", { port: 18789, token: env.GATEWAY_TOKEN })).text).toContain(
      'id="visits">2<',
    );
  });

  test("another supervisor on the same directory finds the gateway and its port again", async () => {
    const socket = await (await start()).socket(acme);
    await launch(socket);
    const { id } = await running(socket);
    const again = new Sandbox({
      root: join(directory, "tenants/tenant-acme"),
      startScript,
      gatewayCommand: reference,
      log: () => {},
    });
    expect(await again.start(env)).toEqual({ started: false, process: { id, type: "gateway", status: "running" } });
    const port = again.mappedPort(18789);
    expect(await (await fetch(`http://127.0.0.1:${port}/health`)).json()).toEqual({ ok: true, status: "live" });
  });

  test("two tenants have their own state, ports and processes", async () => {
    const sandboxes = await start();
    const [one, two] = [await sandboxes.socket(acme), await sandboxes.socket(globex)];
    expect(one).not.toBe(two);
    expect(await sandboxes.socket(acme)).toBe(one);
    await Promise.all([launch(one), launch(two)]);
    await Promise.all([running(one), running(two)]);
    const page = (socket: string) => call(socket, "GET", "/", { port: 18789, token: env.GATEWAY_TOKEN });
    await page(one);
    expect((await page(one)).text).toContain('id="visits">2<');
    expect((await page(two)).text).toContain('id="visits">1<');
    await sandboxes.destroy(acme);
    expect(existsSync(join(directory, "tenants/tenant-acme"))).toBe(false);
    expect((await list(two)).processes).toHaveLength(1);
    await expect(sandboxes.socket({ ...acme, name: "../up" })).rejects.toThrow("cannot name a sandbox");
  });

  test("the gateway sees a clean environment and only its owner its files", async () => {
    process.env.EDGE_SECRET = "of the edge";
    try {
      const socket = await (await start()).socket(acme);
      await launch(socket);
      const { id } = await running(socket);
      const environment = readFileSync(`/proc/${id}/environ`, "utf8");
      expect(environment).not.toContain("EDGE_SECRET");
      expect(environment).toContain("TENANT_SLUG=acme");
      for (const path of ["state", "logs", "run", "workspace"])
        expect(statSync(join(directory, "tenants/tenant-acme", path)).mode & 0o777).toBe(0o700);
      expect(statSync(socket).mode & 0o777).toBe(0o600);
    } finally {
      delete process.env.EDGE_SECRET;
    }
  });
});

describe("when things break", () => {
  test("an early death is told with its exit code, and its last lines are in the log", async () => {
    const socket = await (await start(fault("exit"))).socket(acme);
    await launch(socket);
    const { processes, failure } = await eventually(async () => {
      const now = await list(socket);
      return now.processes.length === 0 && now;
    });
    expect(processes).toEqual([]);
    expect(failure).toMatchObject({ exitCode: 1, message: "the gateway ended with code 3 before it answered" });
    expect(JSON.parse((await call(socket, "GET", "/log?lines=20")).text).lines).toContain("cannot open the database");
  });

  test("a response that breaks off half-way breaks off for the client", async () => {
    const socket = await (await start(fault("break"))).socket(acme);
    await launch(socket);
    await running(socket);
    for (const path of ["/chunked", "/sized"])
      expect(await call(socket, "GET", path, { port: 18789 })).toMatchObject({ status: 200, broken: true });
  });

  test("bad requests are refused with a reason", async () => {
    const socket = await (await start()).socket(acme);
    for (const [method, path, status] of [
      ["GET", "/log?lines=0", 400],
      ["PUT", "/processes/gateway-start", 400],
      ["GET", "/elsewhere", 404],
    ] as const)
      expect((await call(socket, method, path)).status).toBe(status);
    expect(
      (await call(socket, "PUT", "/processes/gateway-start", { body: { env: { "lower case": "1" } } })).status,
    ).toBe(400);
  });

  test("a stop in the middle of a start leaves no process", async () => {
    const sandboxes = await start();
    const socket = await sandboxes.socket(acme);
    await launch(socket);
    await sandboxes.stop();
    expect(findProcesses(directory)).toEqual([]);
    await expect(sandboxes.socket(acme)).rejects.toThrow("stopped");
  });

  test("kill -9 of the edge ends its gateways and leaves no socket", async () => {
    const program = join(directory, "edge.ts");
    writeFileSync(
      program,
      `import { startSandboxes } from ${JSON.stringify(join(import.meta.dirname, "sandboxes.ts"))};
      const sandboxes = await startSandboxes(${JSON.stringify({ directory, startScript, gatewayCommand: reference })} as never);
      console.log(await sandboxes.socket(${JSON.stringify(acme)}));
      setInterval(() => {}, 60_000);`
        .replace(" as never)", ")")
        .replace("startSandboxes({", "startSandboxes({ log: () => {}, "),
    );
    const edge: ChildProcess = spawn(process.execPath, [program], { stdio: ["ignore", "pipe", "inherit"] });
    const [output] = (await once(edge.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
    const socket = output.toString().trim();
    await launch(socket);
    await running(socket);
    expect(findProcesses(directory).map(({ type }) => type)).toContain("gateway");
    edge.kill("SIGKILL");
    await once(edge, "exit");
    await eventually(() => findProcesses(directory).length === 0);
    await eventually(() => !existsSync(socket));
  });

  test("what an edge left behind is ended by the next one", async () => {
    const root = join(directory, "tenants/tenant-acme");
    const orphan = new Sandbox({ root, startScript, gatewayCommand: reference, log: () => {} });
    await orphan.start(env);
    await eventually(() => findProcesses(root).some(({ type }) => type === "gateway"));
    await start();
    expect(findProcesses(directory)).toEqual([]);
    expect(readdirSync(root)).toContain("state");
  });
});
