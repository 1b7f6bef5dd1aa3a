import { execFile, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endProcesses } from "@tenantry/edge/containers";
import { reservedPort } from "@tenantry/test-kit/reserved-port";
import { afterEach, beforeEach, expect, test } from "vitest";
import { gatewayProcesses } from "../testing/gateway-processes.ts";

const reference = [process.execPath, join(import.meta.dirname, "reference/gateway.mjs")];
const fault = (mode: string) => [process.execPath, join(import.meta.dirname, "../testing/fault-gateway.mjs"), mode];

let root: string;
let port: number;

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "start-gateway-test-"));
  // The gateway restarts often, and another test must not use the port in between.
  port = await reservedPort();
});

afterEach(async () => {
  await endProcesses(root);
  rmSync(root, { recursive: true, force: true });
});

interface Result {
  code: number | null;
  stderr: string;
}

function start(command: unknown, extra: Record<string, string> = {}): Promise<Result> {
  const env = {
    PATH: process.env.PATH,
    TENANTRY_SANDBOX: root,
    GATEWAY_TOKEN: "secret-token",
    GATEWAY_PORT: String(port),
    GATEWAY_BIND: "loopback",
    GATEWAY_COMMAND: typeof command === "string" ? command : JSON.stringify(command),
    STATE_DIR: join(root, "state"),
    LOG_DIR: join(root, "logs"),
    RUN_DIR: join(root, "run"),
    REFERENCE_GATEWAY_START_MS: "200",
    ...extra,
  };
  return new Promise((resolve) => {
    const script = execFile(
      process.execPath,
      [join(import.meta.dirname, "start-gateway.mjs")],
      { env },
      (_error, _stdout, stderr) => {
        resolve({ code: script.exitCode, stderr });
      },
    );
  });
}

const failurePath = () => join(root, "run/start-failure.json");
const gateways = () => gatewayProcesses(root).filter(({ type }) => type === "gateway");

test.runIf(process.platform === "linux")("starts a gateway that can gain no privileges", async () => {
  expect((await start(reference)).code).toBe(0);
  const [gateway] = gateways();
  expect(readFileSync(`/proc/${gateway?.pid}/status`, "utf8")).toMatch(/^NoNewPrivs:\s1$/m);
});

test("waits until a gateway that responds has started", async () => {
  const began = start(reference, { REFERENCE_GATEWAY_WARM_MS: "1500" });
  const ask = (path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`).then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(() => ask("/health"), { timeout: 20_000 }).toBe(200);
  expect(await ask("/startupz")).toBe(503);
  expect((await began).code).toBe(0);
  expect(await ask("/startupz")).toBe(200);
});

test("gives the gateway an empty temporary directory", async () => {
  const temporary = join(root, "run/tmp");
  mkdirSync(temporary, { recursive: true });
  writeFileSync(join(temporary, "left"), "");
  expect((await start(reference, { TMPDIR: "/somewhere" })).code).toBe(0);
  const [gateway] = gateways();
  const environment = readFileSync(`/proc/${gateway?.pid}/environ`, "utf8").split("\0");
  expect(environment).toContain(`TMPDIR=${temporary}`);
  expect(readdirSync(temporary)).toEqual([]);
  expect(statSync(temporary).mode & 0o777).toBe(0o700);
  // A running gateway keeps its files.
  writeFileSync(join(temporary, "in-use"), "");
  expect((await start(reference)).code).toBe(0);
  expect(readdirSync(temporary)).toEqual(["in-use"]);
});

test("reports the gateway's own reason for a failed start", async () => {
  const command =
    'echo \'{"message":"the state is newer than this image"}\' > "$RUN_DIR/gateway-failure.json"; exit 78';
  const { code, stderr } = await start(["sh", "-c", command]);
  expect(code).toBe(1);
  expect(stderr).toContain("with code 78 before it responded: the state is newer than this image");
  expect(readFileSync(failurePath(), "utf8")).toContain("the state is newer than this image");
  expect((await start(["false"])).stderr).not.toContain("newer");
});

test("exits with 0 when the gateway responds, and leaves it running", async () => {
  expect(await start(reference)).toEqual({ code: 0, stderr: "" });
  expect(await (await fetch(`http://127.0.0.1:${port}/health`)).json()).toEqual({ ok: true, status: "live" });
  expect(gateways()).toHaveLength(1);
  expect(existsSync(failurePath())).toBe(false);
});

test("launches no second gateway", async () => {
  await start(reference);
  const [first] = gateways();
  expect((await start(reference)).code).toBe(0);
  expect(gateways().map(({ pid }) => pid)).toEqual([first?.pid]);
});

test("runs one of several concurrent starts, and the others exit", async () => {
  const codes = (await Promise.all([1, 2, 3, 4].map(() => start(reference)))).map(({ code }) => code);
  expect(codes).toContain(0);
  expect(codes.every((code) => code === 0 || code === 75)).toBe(true);
  expect(gateways()).toHaveLength(1);
});

test("exits with 1 and the last log lines when the gateway ends early", async () => {
  const { code, stderr } = await start(fault("exit"));
  expect(code).toBe(1);
  expect(stderr).toContain("cannot open the database");
  expect(stderr).toContain("the gateway ended with code 3 before it responded");
  expect(JSON.parse(readFileSync(failurePath(), "utf8"))).toMatchObject({ exitCode: 1 });
  expect((await start(reference)).code).toBe(0);
  expect(existsSync(failurePath())).toBe(false);
});

test("exits with 1 when the command does not exist", async () => {
  const { code, stderr } = await start(["no-such-gateway"]);
  expect(code).toBe(1);
  expect(stderr).toContain("no-such-gateway");
});

test.each(["silent", "wrong"])(
  "exits with 2 and ends the gateway when it does not respond in time (%s)",
  async (mode) => {
    const { code, stderr } = await start(fault(mode), { GATEWAY_START_TIMEOUT_MS: "600" });
    expect(code).toBe(2);
    expect(stderr).toContain("did not respond within 600 ms");
    await expect.poll(gateways).toEqual([]);
  },
);

test.each([
  ["GATEWAY_PORT", { GATEWAY_PORT: "http" }],
  ["GATEWAY_TOKEN", { GATEWAY_TOKEN: "" }],
  ["GATEWAY_COMMAND", { GATEWAY_COMMAND: "openclaw gateway" }],
  ["GATEWAY_START_TIMEOUT_MS", { GATEWAY_START_TIMEOUT_MS: "soon" }],
])("exits with 64 when %s is invalid", async (name, extra) => {
  const { code, stderr } = await start(reference, extra);
  expect(code).toBe(64);
  expect(stderr).toContain(name);
});

test("does not mistake another program on the port for the gateway", async () => {
  const other = createServer((socket) => socket.end("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n"));
  await new Promise<void>((resolve) => other.listen(port, "127.0.0.1", resolve));
  try {
    const { code, stderr } = await start(reference);
    expect(code).toBe(1);
    expect(stderr).toContain("EADDRINUSE");
  } finally {
    other.close();
  }
});

test("does not mistake the gateway's children for it", async () => {
  await start(["sh", "-c", `sleep 60 & exec ${reference.join(" ")}`]);
  expect(
    gatewayProcesses(root)
      .map(({ type }) => type)
      .sort(),
  ).toEqual(["gateway", undefined]);
  const child = spawn("true", { env: { TENANTRY_SANDBOX: root, TENANTRY_PROCESS: "gateway:1" } });
  await new Promise((resolve) => child.once("exit", resolve));
});
