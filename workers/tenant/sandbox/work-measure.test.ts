/** Measures real processes with the real command. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { promisify } from "node:util";
import { expect, type TestContext, test } from "vitest";
import { parseWorkQuery, workQuery } from "./work-measure.ts";

const run = promisify(execFile);

/** Runs a program as a sandbox's gateway until the test ends. Returns when it prints. */
async function gateway(t: TestContext, sandbox: string, program: string): Promise<ChildProcess> {
  const shell = 'export TENANTRY_PROCESS="gateway:$$"; exec "$0" -e "$1"';
  const child = spawn("sh", ["-c", shell, process.execPath, program], {
    env: { ...process.env, TENANTRY_SANDBOX: sandbox },
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  // Including its child processes.
  t.onTestFinished(() => void process.kill(-(child.pid ?? 0), "SIGKILL"));
  await once(child.stdout, "data");
  return child;
}

async function measure(sandbox: string) {
  const env = { ...process.env, TENANTRY_SANDBOX: sandbox, TENANTRY_SHARED_PROCESSES: "true" };
  return parseWorkQuery((await run("sh", ["-c", workQuery()], { env })).stdout);
}

const IDLE = 'console.log("up"); setInterval(() => {}, 1e5);';
/** A third of a CPU. */
const SPIN = "setInterval(() => { for (const end = Date.now() + 20; Date.now() < end; ); }, 60);";

test.concurrent("is busy while the gateway's processes or their children are, and no others", async (t) => {
  await gateway(t, "measure-idle", IDLE);
  const child = `require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(SPIN)}]);`;
  await gateway(t, "measure-busy", `${child} ${IDLE}`);
  const [idle, busy, none] = await Promise.all([
    measure("measure-idle"),
    measure("measure-busy"),
    measure("measure-none"),
  ]);
  expect(idle).toEqual({ busy: false, channels: 0 });
  expect(busy).toMatchObject({
    busy: true,
    reason: expect.stringMatching(/^its processes use \d+ % of a CPU$/),
    channels: 0,
  });
  expect(none).toEqual({ busy: false, channels: 0 });
});

test.concurrent("counts connections to other hosts, but not local or accepted ones", async (t) => {
  const other = createServer().listen(0, "0.0.0.0");
  t.onTestFinished(() => void other.close());
  await once(other, "listening");
  const { port } = other.address() as { port: number };
  const outside = Object.values(networkInterfaces()).flatMap(
    (all) => all?.find(({ internal, family }) => !internal && family === "IPv4") ?? [],
  )[0];
  if (outside === undefined) return t.skip("this machine has no address but its own");
  const connect = (host: string) => `await new Promise((done) => net.connect(${port}, "${host}", done));`;
  const program = `(async () => { const net = require("node:net"); ${connect(outside.address)} ${connect("127.0.0.1")} ${IDLE} })();`;
  await gateway(t, "measure-out", program);
  expect((await measure("measure-out")).channels).toBe(1);
  const listening = `const net = require("node:net"); const s = net.createServer().listen(0, "0.0.0.0", () => net.connect(s.address().port, "${outside.address}").unref() && console.log("up"));`;
  await gateway(t, "measure-in", listening);
  // Its own end of that connection is one that it opened.
  expect((await measure("measure-in")).channels).toBe(1);
});
