/** How containers are isolated. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { EngineClient } from "../testing/engine-client.ts";
import { acme, hooli, ID, probed, unconfined, useEngine } from "../testing/test-engine.ts";
import { testImage } from "../testing/test-image.ts";
import { endProcesses, FIRST_MARKER, type FoundProcess, findProcesses } from "./processes.ts";

const NOBODY = ["--reuid", "65534", "--regid", "65534", "--clear-groups"];

const isRoot = process.getuid?.() === 0;

const context = useEngine();
const { start, nameOf, status, diskOf } = context;

const firstProcesses = () => findProcesses(context.engine.marker, [FIRST_MARKER]);

/** Returns the process outside a container that waits for its end, which leads their group. */
function outerProcess(): FoundProcess {
  const outer = firstProcesses().find(({ pid, group }) => pid === group);
  if (outer === undefined) throw new Error("no container runs");
  return outer;
}

/** Starts an engine in a process that the test can kill. */
async function startOtherEdge(): Promise<ChildProcess> {
  await context.engine.stop();
  const program = `
    import { startContainerEngine } from ${JSON.stringify(join(import.meta.dirname, "../engine.ts"))};
    const engine = await startContainerEngine({ directory: ${JSON.stringify(context.directory)}, image: ${JSON.stringify(testImage())}, log: () => {} });
    engine.uniqueKey(${JSON.stringify(acme)}, "Sandbox");
    console.log(engine.address);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const { marker } = context.engine;
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await endProcesses(marker);
  });
  const [line]: unknown[] = await once(child.stdout, "data");
  context.client = new EngineClient(String(line).trim());
  return child;
}

/** Whether the server of {@link startUnmarkedServer} responds. */
const responds = async (): Promise<boolean> =>
  (await context.client.through(nameOf(acme), testImage().port.number)).endsWith(context.directory);

/** Starts a server in the container of acme that its environment does not identify. */
async function startUnmarkedServer(): Promise<void> {
  const server = `require("node:net").createServer((socket) => socket.end("${context.directory}")).listen(process.argv[1], "127.0.0.1")`;
  const command = `setsid env -i "$(command -v node)" -e '${server}' $PROGRAM_PORT >/dev/null 2>&1 &`;
  await context.client.sh(nameOf(acme), command);
  await expect.poll(responds, { timeout: 20_000 }).toBe(true);
}

/** Suspends a command in the container of acme. */
async function suspendCommand(): Promise<void> {
  const suspended = () => findProcesses(context.engine.marker).filter(({ state }) => state === "T").length;
  const before = suspended();
  void context.client.sh(nameOf(acme), "kill -STOP $$; sleep 1000").catch(() => {});
  await expect.poll(suspended, { timeout: 20_000 }).toBeGreaterThan(before);
}

describe.skipIf(probed.kind === "none")("a confined container", () => {
  beforeEach(() => start());

  test("cannot see the state of the edge, other containers and the user's files", async () => {
    await context.client.start(nameOf(acme));
    await context.client.start(nameOf(hooli));
    const secrets = [
      join(context.directory, "a-secret"),
      join(diskOf(hooli), "workspace/a-secret"),
      join(tmpdir(), "a-secret"),
    ];
    for (const path of secrets) writeFileSync(path, "secret");
    onTestFinished(() => rmSync(join(tmpdir(), "a-secret"), { force: true }));
    await context.client.sh(nameOf(hooli), "sleep 1000 >/dev/null 2>&1 &");
    const sees = async (command: string) => (await context.client.sh(nameOf(acme), command)).stdout;
    expect(await sees("find / -path /proc -prune -o -name a-secret -print")).toBe("");
    for (const path of [...secrets, "/etc/shadow", `${process.cwd()}/package.json`])
      expect([path, await sees(`ls -d '${path}' 2>/dev/null`)]).toEqual([path, ""]);
    // Node.js may be in the user's home, whose other files are invisible.
    const home = process.env.HOME ?? "/root";
    expect(await sees(`find '${home}' /home -maxdepth 1 -type f 2>/dev/null`)).toBe("");
    expect(await sees("cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep hooli")).toBe("");
    // The first process with its waiting one, and this command.
    expect(Number(await sees("ls -d /proc/[0-9]* | wc -l"))).toBeLessThan(8);
  });

  test("sees the package of a file that a command names, and nothing beside it", async () => {
    const home = mkdtempSync(join(tmpdir(), "gateway-test-"));
    onTestFinished(() => rmSync(home, { recursive: true }));
    const write = (path: string, text: string) => {
      const file = join(home, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    };
    write("gateway/package.json", "{}");
    write("gateway/dist/bin/main.mjs", 'import "../lib.mjs"; import "dependency"; console.log("runs");');
    write("gateway/dist/lib.mjs", "");
    write("gateway/node_modules/dependency/package.json", '{"main": "index.js"}');
    write("gateway/node_modules/dependency/index.js", "");
    write("beside", "secret");
    const main = join(home, "gateway/dist/bin/main.mjs");
    await context.engine.stop();
    await start({ image: testImage(["node", main]) });
    await context.client.start(nameOf(acme));
    expect(await context.client.sh(nameOf(acme), `node ${main}`)).toEqual({ code: 0, stdout: "runs\n", stderr: "" });
    expect((await context.client.sh(nameOf(acme), `ls ${home}`)).stdout).toBe("gateway\n");
  });

  test("has no privileges: it cannot write outside its disk, mount, or kill other processes", async () => {
    await context.client.start(nameOf(acme));
    for (const forbidden of [
      "touch /usr/x",
      "touch /opt/image/x",
      "touch /x",
      "mount -t tmpfs none /tmp",
      "mknod /tmp/disk b 8 0",
      "echo 1 > /proc/sys/vm/overcommit_memory",
      `kill -9 ${process.pid}`,
      "unshare --mount true && nsenter --target 1 --mount true",
    ])
      expect([forbidden, (await context.client.sh(nameOf(acme), forbidden)).code]).not.toEqual([forbidden, 0]);
    // The same user may do this, without effect.
    await context.client.sh(nameOf(acme), "kill -9 1");
    expect((await context.client.sh(nameOf(acme), "grep CapEff /proc/self/status")).stdout).toMatch(/CapEff:\s+0+\n/);
    expect(await status(nameOf(acme))).toBe("running");
    if (process.getuid?.() === 0) expect((await context.client.sh(nameOf(acme), "id -u")).stdout).not.toBe("0\n");
  });

  test("reaps orphans", async () => {
    await context.client.start(nameOf(acme));
    await context.client.sh(nameOf(acme), "(setsid sh -c 'sleep 0.1' >/dev/null 2>&1 &)");
    const zombies = async () =>
      (await context.client.sh(nameOf(acme), "grep -l '^State:.Z' /proc/[0-9]*/status; true")).stdout;
    const sleeping = async () => (await context.client.sh(nameOf(acme), "pgrep -c sleep; true")).stdout;
    await expect.poll(sleeping).toBe("0\n");
    expect(await zombies()).toBe("");
  });

  test("ends with a command that has suspended itself, and with a suspended outer process", async () => {
    await context.client.start(nameOf(acme));
    await suspendCommand();
    process.kill(outerProcess().pid, "SIGSTOP");
    expect((await context.client.call("DELETE", `/containers/${nameOf(acme)}?force=true`)).status).toBe(204);
    expect(findProcesses(context.engine.marker)).toEqual([]);
  });

  test("ends with all its processes, and frees its port, when its outer process is killed", async () => {
    await context.client.start(nameOf(acme));
    await startUnmarkedServer();
    await suspendCommand();
    process.kill(outerProcess().pid, "SIGKILL");
    await expect.poll(() => status(nameOf(acme)), { timeout: 20_000 }).toBe("exited");
    expect([await responds(), findProcesses(context.engine.marker), firstProcesses()]).toEqual([false, [], []]);
    await context.client.call("POST", `/containers/${nameOf(acme)}/start`);
    await startUnmarkedServer();
  });

  // A user namespace of one user has no other user to run the container.
  test.skipIf(!isRoot)("ends at once with an open command when the machine's first process reaps no orphans", () => {
    const program = `
      import { startContainerEngine } from ${JSON.stringify(join(import.meta.dirname, "../engine.ts"))};
      import { EngineClient } from ${JSON.stringify(join(import.meta.dirname, "../testing/engine-client.ts"))};
      const engine = await startContainerEngine({ directory: ${JSON.stringify(join(context.directory, "within"))}, image: ${JSON.stringify(testImage())}, log: () => {} });
      const name = "workerd-" + engine.uniqueKey(${JSON.stringify(acme)}, "Sandbox") + "-${ID}";
      const client = new EngineClient(engine.address);
      await client.start(name);
      const started = client.sh(name, "touch started; exec sleep 1000").catch(() => {});
      while ((await client.sh(name, "test -e started")).code !== 0);
      await engine.stop();
      console.log("stopped");
      process.exit();`;
    const first = [process.execPath, "--input-type=module", "-e", program];
    const { stdout } = spawnSync("unshare", ["--pid", "--fork", "--kill-child", "--mount-proc", ...first], {
      encoding: "utf8",
      timeout: 60_000,
      killSignal: "SIGKILL",
    });
    expect(stdout).toBe("stopped\n");
  });

  test("ends with its suspended processes when the edge is killed", async () => {
    const edge = await startOtherEdge();
    await context.client.start(nameOf(acme));
    // A process releases the shell's output when it has executed another program.
    const suspend =
      "sleep 1000 >/dev/null 2>&1 & until readlink /proc/$!/exe | grep -q sleep; do :; done; kill -STOP $!";
    await context.client.sh(nameOf(acme), suspend);
    await suspendCommand();
    // Those inside that notice the end of the edge.
    for (const { pid, ownPid, group } of firstProcesses())
      if (ownPid !== 1 && pid !== group) process.kill(pid, "SIGSTOP");
    edge.kill("SIGKILL");
    const left = () => [...findProcesses(context.engine.marker), ...firstProcesses()];
    await expect.poll(left, { timeout: 20_000 }).toEqual([]);
    expect(readFileSync(join(context.directory, "tenants/tenant-acme", ID, "container.json"), "utf8")).toContain(
      '"running":true',
    );
  });

  test("ends when another edge starts on its directory while the former edge hangs", async () => {
    const edge = await startOtherEdge();
    await context.client.start(nameOf(acme));
    await startUnmarkedServer();
    edge.kill("SIGSTOP");
    await start();
    expect([await responds(), firstProcesses()]).toEqual([false, []]);
    expect(await status(nameOf(acme))).toBe("running");
  });
});

/** The test needs a user who can read its files. */
const canNobodyRead = isRoot && spawnSync("setpriv", [...NOBODY, "test", "-r", import.meta.filename]).status === 0;

test.skipIf(isRoot && !canNobodyRead)("gives namespaces to a user who is not root when root has them", async () => {
  await start();
  const program = `
    import { probeConfinement } from ${JSON.stringify(join(import.meta.dirname, "confinement.ts"))};
    console.log(JSON.stringify(await probeConfinement(${JSON.stringify(testImage())})));`;
  const node = [process.execPath, "--input-type=module", "-e", program];
  const [file = "", ...parameters] = isRoot ? ["setpriv", ...NOBODY, ...node] : node;
  const { stdout } = spawnSync(file, parameters, { encoding: "utf8", cwd: "/" });
  expect(JSON.parse(stdout)).toEqual({ ...probed, users: "edge" });
});

test("describes how containers are isolated", async () => {
  await start();
  expect(context.engine.description).toContain(probed.kind === "namespaces" ? "its own namespaces" : "not confined");
  await context.engine.stop();
  await start({ confinement: unconfined });
  expect(context.engine.description).toContain("not confined: the test requires it");
});

test.skipIf(!isRoot || probed.kind === "none")(
  "gives the disk of an earlier edge, with a shared user, to its container once",
  async () => {
    await start();
    await context.client.start(nameOf(acme));
    await context.client.call("POST", `/containers/${nameOf(acme)}/kill`);
    await context.engine.stop();
    const record = join(context.directory, "tenants/tenant-acme", ID, "container.json");
    const { firstId, ...earlier } = JSON.parse(readFileSync(record, "utf8"));
    writeFileSync(record, JSON.stringify(earlier));
    const disk = diskOf(acme);
    mkdirSync(join(disk, "workspace/state/deep"), { recursive: true });
    writeFileSync(join(disk, "workspace/state/deep/file"), "kept", { mode: 0o600 });
    symlinkSync("/etc/hostname", join(disk, "workspace/state/link"));
    spawnSync("chown", ["-Rh", "65534:65534", disk]);
    const outside = statSync("/etc/hostname").uid;
    await start();
    await context.client.call("POST", `/containers/${nameOf(acme)}/start`);
    expect(
      (await context.client.sh(nameOf(acme), "cat state/deep/file; stat -c %u state/deep/file state/link")).stdout,
    ).toBe("kept1000\n1000\n");
    expect([statSync(join(disk, "workspace/state/deep/file")).uid, statSync("/etc/hostname").uid]).toEqual([
      JSON.parse(readFileSync(record, "utf8")).firstId + 1_000,
      outside,
    ]);
    expect(JSON.parse(readFileSync(record, "utf8")).firstId).toBe(firstId);
  },
);
