/** Disks of limited size: they end with their containers, however these end, and last with their records. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { DEPLOYED } from "../names.ts";
import { EngineClient } from "../testing/engine-client.ts";
import { acme, probed, unconfined, useEngine } from "../testing/test-engine.ts";
import { testImage } from "../testing/test-image.ts";
import { probeDisks } from "./disks.ts";
import { endProcesses, FIRST_MARKER, findProcesses } from "./processes.ts";

const isRoot = process.getuid?.() === 0;
const disks = await probeDisks(probed.kind === "namespaces");
if (disks.kind === "directories") console.warn(`SKIPPED: disks of limited size: ${disks.reason}`);

const context = useEngine();
const { start, nameOf, status, diskOf } = context;
const SIZE = { memoryMiB: 256, vcpu: 1, diskMB: 64 };
const SOON = { timeout: 20_000 };

const firstProcesses = () => findProcesses(context.engine.marker, [FIRST_MARKER]);
const imageOf = () => `${diskOf(acme)}.ext4`;
const runOnImage = (program: string, ...parameters: string[]) =>
  spawnSync(program, [...parameters, imageOf()], { encoding: "utf8" }).stdout;
const sh = (command: string) => context.client.sh(nameOf(acme), command);
const startAgain = async () => (await context.client.call("POST", `/containers/${nameOf(acme)}/start`)).status;

async function startSized(size: object = SIZE): Promise<void> {
  context.engine.deploy(acme, "Sandbox", { image: "box", version: 1, size: { ...SIZE, ...size } });
  await context.client.start(nameOf(acme), DEPLOYED);
}

/** Returns loop devices and mounts of the test's disks on the machine. */
function left(): string[] {
  const devices = readdirSync("/sys/block").filter((name) => {
    const file = join("/sys/block", name, "loop/backing_file");
    return existsSync(file) && readFileSync(file, "utf8").includes(basename(context.directory));
  });
  const mounts = readFileSync("/proc/mounts", "utf8").split("\n");
  return [...devices, ...mounts.filter((line) => line.includes(context.directory))];
}

describe.skipIf(disks.kind === "directories")("a disk of limited size", () => {
  beforeEach(() => start());

  test("takes no space before it is used, has the size of the instance type, and ends with its container", async () => {
    await startSized({ diskMB: 2_000 });
    const { size, blocks } = statSync(imageOf());
    expect([size > 1_999_000_000, size <= 2_000_000_000, blocks * 512 < 1_000_000]).toEqual([true, true, true]);
    const total = Number((await sh("df --output=size -B 1 /workspace | tail -n 1")).stdout);
    expect(total).toBeGreaterThan(1_900_000_000);
    expect((await sh("stat -c %d /workspace /tmp | uniq | wc -l")).stdout).toBe("1\n");
    expect((await sh("stat -c '%u %a' /workspace /workspace/state /tmp")).stdout).toBe(
      "1000 700\n1000 700\n1000 700\n",
    );
    expect(left()).toHaveLength(1);
    await context.client.call("DELETE", `/containers/${nameOf(acme)}?force=true`);
    expect([left(), existsSync(dirname(diskOf(acme)))]).toEqual([[], false]);
  });

  test("keeps its files when the container, its outer process or the engine ends, and leaves no mount", async () => {
    await startSized();
    const ends = [
      () => process.kill(firstProcesses().find(({ ownPid }) => ownPid === 1)?.pid ?? 0, "SIGKILL"),
      () => process.kill(firstProcesses().find(({ pid, group }) => pid === group)?.pid ?? 0, "SIGKILL"),
      () => context.client.call("POST", `/containers/${nameOf(acme)}/kill?signal=SIGKILL`),
    ];
    for (const [at, end] of ends.entries()) {
      await sh(`echo ${at} >> /workspace/note`);
      // A command that still holds the namespace when the container has ended.
      const running = sh("sleep 1000").catch(() => {});
      await end();
      await expect.poll(() => status(nameOf(acme)), SOON).toBe("exited");
      expect(await startAgain()).toBe(204);
      await running;
    }
    await context.engine.stop();
    expect(left()).toEqual([]);
    await start();
    expect(await startAgain()).toBe(304);
    expect((await sh("cat /workspace/note")).stdout).toBe("0\n1\n2\n");
  });

  test("keeps its files when the edge is killed, and leaves no mount", async () => {
    await context.engine.stop();
    const program = `
      import { startContainerEngine } from ${JSON.stringify(join(import.meta.dirname, "../engine.ts"))};
      const engine = await startContainerEngine({ directory: ${JSON.stringify(context.directory)}, image: ${JSON.stringify(testImage())}, log: () => {} });
      engine.uniqueKey(${JSON.stringify(acme)}, "Sandbox");
      engine.deploy(${JSON.stringify(acme)}, "Sandbox", { image: "box", version: 1, size: ${JSON.stringify(SIZE)} });
      console.log(engine.address);`;
    const edge = spawn(process.execPath, ["--input-type=module", "-e", program], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(async () => {
      edge.kill("SIGKILL");
      await endProcesses(context.engine.marker);
    });
    const [line]: unknown[] = await once(edge.stdout, "data");
    context.client = new EngineClient(String(line).trim());
    await context.client.start(nameOf(acme), DEPLOYED);
    await sh("echo kept > /workspace/note; sleep 1000 >/dev/null 2>&1 &");
    expect(left()).toHaveLength(1);
    // What it leaves when it is killed while it removes a container.
    const removed = join(dirname(dirname(diskOf(acme))), `${"0".repeat(64)}.removed`);
    mkdirSync(removed);
    writeFileSync(join(removed, "disk.ext4"), "");
    edge.kill("SIGKILL");
    await expect.poll(left, SOON).toEqual([]);
    await start();
    expect(existsSync(removed)).toBe(false);
    expect(await startAgain()).toBe(304);
    expect((await sh("cat /workspace/note")).stdout).toBe("kept\n");
  });

  test("is checked after the machine has crashed", async () => {
    await startSized();
    await sh("echo kept > /workspace/note");
    await context.engine.stop();
    // As if it had not been unmounted.
    runOnImage("debugfs", "-w", "-R", "set_super_value state 0");
    const state = () => runOnImage("dumpe2fs", "-h");
    expect(state()).toMatch(/^Filesystem state: +not clean$/m);
    await start();
    expect(await startAgain()).toBe(304);
    expect((await sh("cat /workspace/note")).stdout).toBe("kept\n");
    await context.engine.stop();
    expect(state()).toMatch(/^Filesystem state: +clean$/m);
  });

  test("is not used for a container of an earlier edge, which keeps its directory", async () => {
    await context.client.start(nameOf(acme));
    await sh("echo kept > /workspace/note");
    await context.engine.stop();
    const path = join(dirname(diskOf(acme)), "container.json");
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, "utf8")), size: SIZE }));
    await start();
    expect(await startAgain()).toBe(304);
    expect([(await sh("cat /workspace/note")).stdout, existsSync(imageOf())]).toEqual(["kept\n", false]);
  });

  test("is not replaced by an empty directory on a machine that cannot mount it", async () => {
    await startSized();
    await context.engine.stop();
    await start({ confinement: unconfined });
    context.engine.deploy(acme, "Sandbox", { image: "box", version: 1, size: SIZE });
    expect(await context.client.call("POST", `/containers/${nameOf(acme)}/start`)).toEqual({
      status: 500,
      body: { message: "mounting the container's disk failed: images need namespaces" },
    });
    // workerd removes and recreates it.
    for (const name of [nameOf(acme), `${nameOf(acme)}-proxy`])
      expect((await context.client.call("DELETE", `/containers/${name}?force=true`)).status).toBe(204);
    await startSized();
    expect([await status(nameOf(acme)), existsSync(imageOf())]).toEqual(["running", false]);
  });
});

describe.skipIf(!isRoot || probed.kind === "none")("without images, disks are directories", () => {
  beforeEach(() => start());

  test.each([
    ["as another user", ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"], "images need root"],
    [
      "without mkfs.ext4",
      ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs none /usr/sbin && exec "$@"', "sh"],
      "images need mkfs.ext4 of e2fsprogs",
    ],
    [
      "without loop devices",
      [
        "unshare",
        "--mount",
        "sh",
        "-c",
        'mount --bind /dev/null /dev/loop-control; for one in /dev/loop[0-9]*; do mount --bind /dev/null $one; done; exec "$@"',
        "sh",
      ],
      "images need loop devices",
    ],
  ])("%s, and the edge says why", (_, prefix, reason) => {
    const program = `
      import { probeDisks } from ${JSON.stringify(join(import.meta.dirname, "disks.ts"))};
      console.log(JSON.stringify(await probeDisks(true)));`;
    const [file = "", ...parameters] = [...prefix, process.execPath, "--input-type=module", "-e", program];
    const { stdout } = spawnSync(file, parameters, { encoding: "utf8", cwd: "/" });
    expect(JSON.parse(stdout)).toEqual({ kind: "directories", reason });
  });
});
