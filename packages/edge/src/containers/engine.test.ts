/** The container engine, asked as workerd asks it; in namespaces where the machine has them, and as plain processes. */
import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { type Confinement, probeConfinement } from "./confinement.ts";
import { type ContainerEngineOptions, type ProcessEngine, startContainerEngine } from "./engine.ts";
import { findProcesses } from "./processes.ts";
import { EngineClient } from "./testing/engine-client.ts";
import { testImage } from "./testing/test-image.ts";

const acme = { namespace: "tenants", name: "tenant-acme" };
const hooli = { namespace: "tenants", name: "tenant-hooli" };
const ID = "0123456789abcdef".repeat(4);
const found = await probeConfinement(testImage());
const plain: Confinement = { kind: "none", reason: "the test wants it so" };

const NOBODY = ["--reuid", "65534", "--regid", "65534", "--clear-groups"];

const isRoot = process.getuid?.() === 0;

let directory: string;
let engine: ProcessEngine;
let client: EngineClient;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "engine-test-"));
});
afterEach(async () => {
  await engine.stop();
  expect(findProcesses(engine.marker)).toEqual([]);
  rmSync(directory, { recursive: true, force: true });
});

async function start(options: Partial<ContainerEngineOptions> = {}): Promise<void> {
  engine = await startContainerEngine({ directory, image: testImage(), log: () => {}, ...options });
  client = new EngineClient(engine.address);
}

/** The name workerd gives to the container of a script. */
const nameOf = (script: { namespace: string; name: string }) => `workerd-${engine.uniqueKey(script, "Sandbox")}-${ID}`;
const status = async (name: string) => {
  const { body } = await client.call("GET", `/containers/${name}/json`);
  return z.object({ State: z.object({ Status: z.string() }) }).safeParse(body).data?.State.Status;
};
const diskOf = ({ namespace, name }: typeof acme) => join(directory, namespace, name, ID, "disk");

const kinds: [string, Confinement][] = [["as plain processes", plain]];
if (found.kind === "namespaces") kinds.push(["in namespaces", found]);
else console.warn(`SKIPPED: containers in namespaces, as this machine allows none: ${found.reason}`);

describe.each(kinds)("%s", (_, confinement) => {
  beforeEach(() => start({ confinement }));

  test("a container is made, runs commands with their environment, exit code and output, and is removed", async () => {
    const name = nameOf(acme);
    expect(await status(name)).toBeUndefined();
    await client.start(name);
    expect(await status(name)).toBe("running");
    expect((await client.call("POST", `/containers/create?name=${name}`, { Image: "test" })).status).toBe(409);
    expect((await client.call("POST", `/containers/${name}/start`)).status).toBe(304);
    const ran = await client.sh(name, 'echo "$GIVEN"; echo wrong >&2; exit 3', ["GIVEN=a=b"]);
    expect(ran).toEqual({ code: 3, stdout: "a=b\n", stderr: "wrong\n" });
    expect((await client.exec(name, ["no-such-program"])).code).not.toBe(0);
    expect((await client.call("DELETE", `/containers/${name}?force=true`)).status).toBe(204);
    expect(await status(name)).toBeUndefined();
    expect(readdirSync(directory, { recursive: true }).join()).not.toContain("disk");
  });

  test("a container has the environment that its image had when it was made, and other images the engine's own program", async () => {
    await engine.stop();
    const images = join(directory, "images.json");
    const tell = (told: unknown) => writeFileSync(images, JSON.stringify(told));
    const image = testImage();
    image.variables.VERSION_PROGRAM = '["tell"]';
    const settings = { confinement, images, image };
    tell({ "box:1": { GIVEN: "by the image", PROGRAM: '["one"]', PATH: "/usr/bin:/bin" } });
    await start(settings);
    const name = nameOf(acme);
    const remove = async () => {
      for (const one of [name, `${name}-proxy`]) await client.call("DELETE", `/containers/${one}?force=true`);
    };
    const told = async (variables: string[] = []) => {
      const { stdout } = await client.sh(name, 'echo "$GIVEN $PROGRAM $VERSION_PROGRAM $PATH"', variables);
      return stdout.trimEnd();
    };
    await client.start(name, "box:1");
    expect(await told()).toBe('by the image ["one"]  /usr/bin:/bin');
    expect(await told(["GIVEN=by the call", "PROGRAM=[]"])).toBe('by the call ["one"]  /usr/bin:/bin');
    tell({ "box:1": { GIVEN: "later" } });
    await engine.stop();
    await start(settings);
    expect(nameOf(acme)).toBe(name);
    expect(await told()).toBe('by the image ["one"]  /usr/bin:/bin');
    await remove();
    await client.start(name, "box:1");
    expect(await told()).toMatch(/^later \["true"\] \["tell"\] /);
    await remove();
    await client.start(name, "box:2");
    expect(await told()).toMatch(/^ \["true"\] \["tell"\] /);
    await remove();
    tell({ "box:1": { VERSION_PROGRAM: '["other"]' } });
    await client.start(name, "box:1");
    expect(await told()).toMatch(/^ \["true"\] \["tell"\] /);
    await remove();
    tell({ "box:1": { "no name": 1 } });
    const refused = await client.call("POST", `/containers/create?name=${name}`, { Image: "box:1" });
    expect(refused).toMatchObject({ status: 500, body: { message: expect.stringContaining("images.json must be") } });
  });

  test("a main program starts with its container, which ends with it and has its exit code", async () => {
    const name = nameOf(acme);
    const body = {
      Image: "test",
      Env: ["CODE=3"],
      Cmd: ["sh", "-c", 'echo ran > "$HOME/note"; read line < "$HOME/pipe"; exit $CODE'],
    };
    await client.call("POST", `/containers/create?name=${name}-proxy`, body);
    expect((await client.call("POST", `/containers/create?name=${name}`, body)).status).toBe(201);
    mkdirSync(join(diskOf(acme), "workspace"), { recursive: true });
    spawnSync("mkfifo", ["-m", "666", join(diskOf(acme), "workspace/pipe")]);
    await client.call("POST", `/containers/${name}/start`);
    await expect.poll(async () => (await client.sh(name, 'cat "$HOME/note"')).stdout).toBe("ran\n");
    const waiting = client.call("POST", `/containers/${name}/wait`);
    await client.sh(name, 'echo > "$HOME/pipe"').catch(() => undefined);
    expect((await waiting).body).toEqual({ StatusCode: 3 });
    expect(await status(name)).toBe("exited");
  });

  test("three megabytes in and out arrive whole", async () => {
    const name = nameOf(acme);
    await client.start(name);
    const input = Buffer.from(randomBytes(3_000_000).toString("base64"));
    const { code, stdout } = await client.exec(name, ["cat"], { input });
    expect([code, stdout === input.toString("utf8")]).toEqual([0, true]);
  });

  test("its end ends all that runs in it, and whoever waits hears of it", async () => {
    const name = nameOf(acme);
    await client.start(name);
    await client.sh(name, "setsid sleep 1000 >/dev/null 2>&1 & trap '' TERM; (sleep 1000) >/dev/null 2>&1 &");
    await expect.poll(() => findProcesses(engine.marker).length).toBeGreaterThanOrEqual(2);
    const waiting = client.call("POST", `/containers/${name}/wait`);
    const removal = client.call("POST", `/containers/${name}/wait?condition=removed`);
    const running = client.sh(name, "sleep 1000");
    await expect.poll(() => findProcesses(engine.marker).length).toBeGreaterThanOrEqual(3);
    await client.call("POST", `/containers/${name}/kill?signal=SIGKILL`);
    expect((await waiting).status).toBe(200);
    expect((await running).code).not.toBe(0);
    expect(findProcesses(engine.marker)).toEqual([]);
    expect(await status(name)).toBe("exited");
    await client.call("DELETE", `/containers/${name}?force=true`);
    expect((await removal).status).toBe(200);
  });

  test("it runs again after the engine has stopped, on the disk it had; one that was removed does not", async () => {
    const name = nameOf(acme);
    await client.start(name);
    await client.sh(name, 'echo kept > "$HOME/note"');
    await client.start(nameOf(hooli));
    await client.call("DELETE", `/containers/${nameOf(hooli)}?force=true`);
    await engine.stop();
    await start({ confinement });
    expect(nameOf(acme)).toBe(name);
    expect(await status(nameOf(hooli))).toBeUndefined();
    expect(await status(name)).toBe("running");
    expect((await client.call("GET", `/containers/${name}-proxy/json`)).status).toBe(200);
    expect((await client.sh(name, 'cat "$HOME/note"')).stdout).toBe("kept\n");
  });

  test("the gateway's port is reached through the sidecar, and no other of the machine", async () => {
    const name = nameOf(acme);
    await client.start(name);
    const listening = client.sh(
      name,
      `node -e 'require("node:net").createServer((s) => s.end("hello")).listen(Number(process.env.PROGRAM_PORT), "127.0.0.1")'`,
    );
    const other = createServer((socket) => socket.end("other"));
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as { port: number };
    await expect.poll(() => throughSidecar(name, 18789), { timeout: 20_000 }).toBe("HTTP/1.1 200 OK\r\n\r\nhello");
    expect(await throughSidecar(name, port)).toContain("400");
    await client.call("DELETE", `/containers/${name}?force=true`);
    expect(await throughSidecar(name, 18789)).toContain("400");
    await listening;
  });

  test("is nobody's when the account has no such script, and says what it does not serve", async () => {
    const { status: refused } = await client.call("POST", `/containers/create?name=workerd-other-${ID}`, {
      Image: "x",
    });
    expect(refused).toBe(500);
    expect((await client.call("GET", "/info")).status).toBe(501);
  });
});

async function throughSidecar(name: string, port: number): Promise<string> {
  const { body } = await client.call("GET", `/containers/${name}-proxy/json`);
  const inspected = z.object({
    NetworkSettings: z.object({
      Ports: z.object({ "39001/tcp": z.tuple([z.object({ HostPort: z.coerce.number() })]) }),
    }),
  });
  const [{ HostPort }] = inspected.parse(body).NetworkSettings.Ports["39001/tcp"];
  const socket = connect(HostPort, "127.0.0.1");
  socket.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nX-Dst-Addr: 127.0.0.1:${port}\r\n\r\n`);
  let text = "";
  socket.on("data", (bytes) => {
    text += bytes;
  });
  // After a whole answer workerd ends the connection itself; whoever does not is cut off.
  socket.on("error", () => {});
  await new Promise((resolve) => socket.once("close", resolve));
  return text;
}

describe.skipIf(found.kind === "none")("confined", () => {
  beforeEach(() => start());

  test("it sees neither the state of the edge, nor other containers, nor the user's files", async () => {
    await client.start(nameOf(acme));
    await client.start(nameOf(hooli));
    const secrets = [
      join(directory, "a-secret"),
      join(diskOf(hooli), "workspace/a-secret"),
      join(tmpdir(), "a-secret"),
    ];
    for (const path of secrets) writeFileSync(path, "secret");
    onTestFinished(() => rmSync(join(tmpdir(), "a-secret"), { force: true }));
    await client.sh(nameOf(hooli), "sleep 1000 >/dev/null 2>&1 &");
    const sees = async (command: string) => (await client.sh(nameOf(acme), command)).stdout;
    expect(await sees("find / -path /proc -prune -o -name a-secret -print")).toBe("");
    for (const path of [...secrets, "/etc/shadow", `${process.cwd()}/package.json`])
      expect([path, await sees(`ls -d '${path}' 2>/dev/null`)]).toEqual([path, ""]);
    // Node.js may be below the user's home, whose other files it does not see.
    const home = process.env.HOME ?? "/root";
    expect(await sees(`find '${home}' /home -maxdepth 1 -type f 2>/dev/null`)).toBe("");
    expect(await sees("cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep hooli")).toBe("");
    // The first process, what keeps it waiting, and the looking itself.
    expect(Number(await sees("ls -d /proc/[0-9]* | wc -l"))).toBeLessThan(8);
  });

  test("it sees the package of a file that the gateway's command names, and nothing beside it", async () => {
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
    await engine.stop();
    await start({ image: testImage(["node", main]) });
    await client.start(nameOf(acme));
    expect(await client.sh(nameOf(acme), `node ${main}`)).toEqual({ code: 0, stdout: "runs\n", stderr: "" });
    expect((await client.sh(nameOf(acme), `ls ${home}`)).stdout).toBe("gateway\n");
  });

  test("it has no rights: it writes nothing but its own, mounts nothing, and ends nobody", async () => {
    await client.start(nameOf(acme));
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
      expect([forbidden, (await client.sh(nameOf(acme), forbidden)).code]).not.toEqual([forbidden, 0]);
    // Of the same user it is allowed, and has no effect.
    await client.sh(nameOf(acme), "kill -9 1");
    expect((await client.sh(nameOf(acme), "grep CapEff /proc/self/status")).stdout).toMatch(/CapEff:\s+0+\n/);
    expect(await status(nameOf(acme))).toBe("running");
    if (process.getuid?.() === 0) expect((await client.sh(nameOf(acme), "id -u")).stdout).not.toBe("0\n");
  });

  test("orphans are taken in when they end", async () => {
    await client.start(nameOf(acme));
    await client.sh(nameOf(acme), "(setsid sh -c 'sleep 0.1' >/dev/null 2>&1 &)");
    const zombies = async () => (await client.sh(nameOf(acme), "grep -l '^State:.Z' /proc/[0-9]*/status; true")).stdout;
    const sleeping = async () => (await client.sh(nameOf(acme), "pgrep -c sleep; true")).stdout;
    await expect.poll(sleeping).toBe("0\n");
    expect(await zombies()).toBe("");
  });

  test("it ends with a command that has suspended itself", async () => {
    await client.start(nameOf(acme));
    void client.sh(nameOf(acme), "kill -STOP $$; sleep 1000").catch(() => {});
    await expect.poll(() => findProcesses(engine.marker).some(({ state }) => state === "T")).toBe(true);
    expect((await client.call("DELETE", `/containers/${nameOf(acme)}?force=true`)).status).toBe(204);
    expect(findProcesses(engine.marker)).toEqual([]);
  });

  // In a user namespace of one user there is nobody to run the container as.
  test.skipIf(!isRoot)(
    "it ends at once with a command under way, where the machine's first process takes in no orphans",
    () => {
      const program = `
      import { startContainerEngine } from ${JSON.stringify(join(import.meta.dirname, "engine.ts"))};
      import { EngineClient } from ${JSON.stringify(join(import.meta.dirname, "testing/engine-client.ts"))};
      const engine = await startContainerEngine({ directory: ${JSON.stringify(join(directory, "within"))}, image: ${JSON.stringify(testImage())}, log: () => {} });
      const name = "workerd-" + engine.uniqueKey(${JSON.stringify(acme)}, "Sandbox") + "-${ID}";
      const client = new EngineClient(engine.address);
      await client.start(name);
      const started = client.sh(name, "touch begun; exec sleep 1000").catch(() => {});
      while ((await client.sh(name, "test -e begun")).code !== 0);
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
    },
  );

  test("a killed edge takes its containers along, with what is suspended in them", async () => {
    await engine.stop();
    const program = `
      import { startContainerEngine } from ${JSON.stringify(join(import.meta.dirname, "engine.ts"))};
      const engine = await startContainerEngine({ directory: ${JSON.stringify(directory)}, image: ${JSON.stringify(testImage())}, log: () => {} });
      engine.uniqueKey(${JSON.stringify(acme)}, "Sandbox");
      console.log(engine.address);`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const [line]: unknown[] = await once(child.stdout, "data");
    client = new EngineClient(String(line).trim());
    await client.start(nameOf(acme));
    // Only what has become another program has let go of the shell's output.
    const suspend =
      "sleep 1000 >/dev/null 2>&1 & until readlink /proc/$!/exe | grep -q sleep; do :; done; kill -STOP $!";
    await client.sh(nameOf(acme), suspend);
    void client.sh(nameOf(acme), "kill -STOP $$; sleep 1000").catch(() => {});
    await expect
      .poll(() => findProcesses(engine.marker).filter(({ state }) => state === "T").length)
      .toBeGreaterThan(1);
    child.kill("SIGKILL");
    await expect.poll(() => findProcesses(engine.marker), { timeout: 20_000 }).toEqual([]);
    expect(readFileSync(join(directory, "tenants/tenant-acme", ID, "container.json"), "utf8")).toContain(
      '"running":true',
    );
  });
});

/** Where nobody may read this program's files there is nothing to run as nobody. */
const nobodyReads = isRoot && spawnSync("setpriv", [...NOBODY, "test", "-r", import.meta.filename]).status === 0;

test.skipIf(isRoot && !nobodyReads)("a user who is not root has namespaces too, where root has", async () => {
  await start();
  const program = `
    import { probeConfinement } from ${JSON.stringify(join(import.meta.dirname, "confinement.ts"))};
    console.log(JSON.stringify(await probeConfinement(${JSON.stringify(testImage())})));`;
  const node = [process.execPath, "--input-type=module", "-e", program];
  const [file = "", ...parameters] = isRoot ? ["setpriv", ...NOBODY, ...node] : node;
  const { stdout } = spawnSync(file, parameters, { encoding: "utf8", cwd: "/" });
  expect(JSON.parse(stdout)).toEqual(found);
});

test("the edge says how far containers are kept apart", async () => {
  await start();
  expect(engine.description).toContain(found.kind === "namespaces" ? "namespaces of its own" : "not confined");
  await engine.stop();
  await start({ confinement: plain });
  expect(engine.description).toContain("not confined: the test wants it so");
});
