/** Attacks from inside a container: on another container, on the edge, and on the machine. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ProcessEngine, startContainerEngine } from "../engine.ts";
import { DEPLOYED } from "../names.ts";
import { EngineClient } from "../testing/engine-client.ts";
import { acme, hooli, ID, probed } from "../testing/test-engine.ts";
import { testImage } from "../testing/test-image.ts";
import { workspaceOf } from "../testing/workspace.ts";
import { findProcesses } from "./processes.ts";

const isRoot = process.getuid?.() === 0;
const MEMORY_MIB = 128;
const DISK_MB = 64;
const SECRET = "a-secret-of-the-edge";

let directory: string;
let engine: ProcessEngine;
let client: EngineClient;
let attacker: string;
let victim: string;

const run = (command: string) => client.sh(attacker, command);
const output = async (command: string) => (await run(command)).stdout.trim();
const statusOf = async (name: string) => (await client.call("GET", `/containers/${name}/json`)).body;
const homeOf = ({ namespace, name }: typeof acme) => join(directory, namespace, name, ID);
/** Commands of a container, on the machine. */
const commandsOf = (name: string) => findProcesses(`${engine.marker}/${name}`);
const statusLine = (pid: number, name: string) =>
  new RegExp(`^${name}:\\s+(.*)$`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];

beforeAll(async () => {
  if (probed.kind === "none") return;
  process.env.EDGE_SECRET = SECRET;
  directory = mkdtempSync(join(tmpdir(), "attack-test-"));
  engine = await startContainerEngine({ directory, image: testImage(), log: () => {} });
  client = new EngineClient(engine.address);
  [attacker = "", victim = ""] = [acme, hooli].map((script) => `workerd-${engine.uniqueKey(script, "Sandbox")}-${ID}`);
  for (const script of [acme, hooli])
    engine.deploy(script, "Sandbox", {
      image: "box",
      version: 1,
      size: { memoryMiB: MEMORY_MIB, vcpu: 0.25, diskMB: DISK_MB },
    });
  for (const name of [attacker, victim]) await client.start(name, DEPLOYED);
  // A command of the victim to attack, and a file.
  await client.sh(victim, "echo own > /workspace/own; sleep 98765 >/dev/null 2>&1 &");
});

afterAll(async () => {
  delete process.env.EDGE_SECRET;
  await engine?.stop();
  if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
});

/** Perl calls the kernel without a program that could refuse. Numbers are those of x64. */
const call = (...parameters: (number | string)[]) =>
  `perl -e 'my ($user, $a) = ("user", "a"); exit(syscall(${parameters.join(", ")}) == -1)'`;
const isX64 = process.arch === "x64";

describe.skipIf(probed.kind === "none")("a container cannot", () => {
  test.each([
    ["change a program of the system", "touch /usr/bin/x || echo x >> /usr/bin/env"],
    ["change a script of its image", "echo x >> /opt/image/hello.sh || chmod +w /opt/image/hello.sh"],
    ["change its users", "echo 'x:x:0:0::/:/bin/sh' >> /etc/passwd"],
    ["write to its root", "mkdir /x || touch /var/x || touch /run/x"],
    ["remount its root", "mount -o remount,rw /"],
    ["mount", "mount -t tmpfs none /tmp || mount -o bind /usr /tmp"],
    ["unmount", "umount /proc || umount /tmp"],
    ["create a namespace", "unshare --user --map-root-user true || unshare --mount true"],
    ["enter the namespaces of its first process", "nsenter --target 1 --mount true"],
    ["create a device", "mknod /tmp/disk b 8 0 || mknod /tmp/memory c 1 1"],
    ["open a device of the machine", "ls /dev/mem /dev/sda /dev/vda /dev/loop0 /dev/kvm /dev/tty /dev/ptmx /dev/fuse"],
    ["change the kernel's settings", "echo 1 > /proc/sys/vm/overcommit_memory || echo b > /proc/sysrq-trigger"],
    ["read the kernel's memory or log", "head -c 1 /proc/kcore || head -c 1 /proc/kmsg || dmesg"],
    ["see the kernel's file system", "ls /sys/kernel || ls /sys/fs/cgroup"],
    ["give back its rights", "setpriv --inh-caps=+all true"],
    ["protect itself from the end for lack of memory", "echo -1000 > /proc/self/oom_score_adj"],
  ])("%s", async (_, command) => {
    const { code, stdout } = await run(command);
    expect([code === 0, stdout]).toEqual([false, ""]);
  });

  // Unless the edge is root, its user is root inside, without rights.
  test.skipIf(probed.kind === "namespaces" && probed.users === "edge")(
    "become root by a program with the setuid bit",
    async () => {
      const { code, stdout } = await run("setpriv --reuid 0 true || su root -c true");
      expect([code === 0, stdout]).toEqual([false, ""]);
    },
  );

  test.skipIf(!isX64 || (probed.kind === "namespaces" && !probed.filter)).each([
    ["read the keys of the edge's session", call(250, 0, -3, 0)],
    ["add a key", call(248, "$user", "$a", "$a", 1, -3)],
    ["request a key", call(249, "$user", "$a", 0, 0)],
    ["create a user namespace by clone", call(56, 0x1000_0011, 0, 0, 0, 0)],
    ["create a user namespace by unshare", call(272, 0x1000_0000)],
    ["use BPF", call(321, 0, 0, 0)],
    ["watch the machine's events", call(298, 0, 0, -1, -1, 0)],
    ["handle page faults", call(323, 0)],
    ["use io_uring", call(425, 1, 0)],
    ["call the kernel by the x32 interface", call(0x4000_0000 + 39)],
  ])("%s", async (_, command) => {
    expect((await run(command)).code).toBe(1);
  });

  test("have rights, not even its first process", async () => {
    for (const pid of ["self", "1"])
      expect(await output(`grep -E '^(Cap...|NoNewPrivs|Seccomp):' /proc/${pid}/status | tr -d '\\t\\n'`)).toMatch(
        new RegExp(`^(Cap...:0{16}){5}NoNewPrivs:1Seccomp:${probed.kind === "namespaces" && probed.filter ? 2 : 0}$`),
      );
    // A copy of a shell with the setuid bit, which keeps an effective user.
    await run("cp /bin/sh /tmp/sh && chmod 4755 /tmp/sh");
    expect(await output("/tmp/sh -p -c 'id -u; id -ru'")).toBe(
      Array(2)
        .fill(await output("id -u"))
        .join("\n"),
    );
  });

  test("see or signal processes of another container or the machine", async () => {
    const target = commandsOf(victim)[0]?.pid ?? 0;
    expect(target).toBeGreaterThan(0);
    for (const pid of [target, process.pid]) await run(`kill -9 ${pid}; kill -9 -${pid}`);
    expect(statusLine(target, "State")).toMatch(/^S/);
    const seen = await output("cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline | tr '\\0' '\\n'");
    for (const hidden of ["tenant-hooli", "98765", SECRET, "EDGE_SECRET"]) expect(seen).not.toContain(hidden);
    for (const kind of [
      "mnt",
      "pid",
      "ipc",
      ...(probed.kind === "namespaces" && probed.users !== "id" ? ["user"] : []),
    ]) {
      const own = await output(`readlink /proc/self/ns/${kind}`);
      const other = (await client.sh(victim, `readlink /proc/self/ns/${kind}`)).stdout.trim();
      expect(new Set([own, other, statSync(`/proc/self/ns/${kind}`).ino]).size, kind).toBe(3);
    }
  });

  test("see files of another container, the edge or the user", async () => {
    const files = [
      join(homeOf(hooli), "disk.ext4"),
      join(homeOf(hooli), "disk"),
      join(workspaceOf(directory, hooli), "own"),
      join(directory, ".engine"),
      "/etc/shadow",
      import.meta.filename,
    ];
    for (const path of files) expect([path, (await run(`ls -d '${path}'`)).stdout]).toEqual([path, ""]);
    expect(await output("find / -name own -path '*workspace*' -not -path '/proc/*' 2>/dev/null")).toBe("");
    expect(await output("cat /etc/passwd /etc/group | grep -vE '^(root|node|nobody|nogroup):'")).toBe("");
    for (const path of ["/proc/1/root/../..", "/proc/self/root/../../..", "/workspace/../../.."])
      expect(await output(`ls ${path} | grep -cE '^(home|root|boot|srv|\\.machine)$'; true`)).toBe("0");
  });

  test.skipIf(!isRoot)("share a user with another container, or be root outside", async () => {
    await run("sleep 1000 >/dev/null 2>&1 &");
    const owners = [attacker, victim].map((name) => commandsOf(name).map(({ pid }) => statusLine(pid, "Uid")));
    const [own = [], other = []] = owners.map((ids) => new Set(ids.map((id) => Number(id?.split("\t")[0]))));
    const all = [...own, ...other];
    expect([...own].some((id) => [...other].includes(id))).toBe(false);
    expect(all.filter((id) => id === 0 || id === 65_534)).toEqual([]);
    expect(new Set([acme, hooli].map((script) => statSync(workspaceOf(directory, script)).uid)).size).toBe(2);
    await run("pkill sleep");
  });

  test("fill the machine's memory by its shared memory or root", async () => {
    const { code, stderr } = await run("head -c 70000000 /dev/zero > /dev/shm/x");
    await run("rm -f /dev/shm/x");
    expect([code === 0, stderr]).toEqual([false, expect.stringContaining("No space left")]);
  });

  test.skipIf(!isRoot)("give a file of the machine to itself by a link in place of a folder", async () => {
    const outside = join(directory, "outside");
    mkdirSync(outside);
    await run(`rm -rf /workspace/state && ln -s ${outside} /workspace/state`);
    await engine.stopContainer(attacker, "terminate");
    await expect.poll(() => statusOf(attacker), { timeout: 20_000 }).toMatchObject({ State: { Status: "exited" } });
    await client.call("POST", `/containers/${attacker}/start`);
    expect([await output("readlink /workspace/state"), statSync(outside).uid]).toEqual([outside, 0]);
  });
});

/** Groups of the attacker, by controller. */
const groupOf = (controller: string) => {
  const [own = 0] = commandsOf(attacker).map(({ pid }) => pid);
  const path = new RegExp(`^\\d+:[^:]*\\b${controller}\\b[^:]*:(.*)$`, "m").exec(
    readFileSync(`/proc/${own}/cgroup`, "utf8"),
  );
  return join("/sys/fs/cgroup", controller, path?.[1] ?? "");
};

describe.skipIf(probed.kind === "none" || !isRoot)("a container that exhausts", () => {
  const isLimited = (what: string) => !new RegExp(`${what}[^;]*not limited`).test(engine.description);

  test("processes cannot start more, and others can", async (context) => {
    context.skip(!isLimited("number of processes"));
    await run("sleep 1000 >/dev/null 2>&1 &");
    const limit = join(groupOf("pids"), "pids.max");
    expect(readFileSync(limit, "utf8").trim()).toBe("2048");
    // The attack is the same with fewer.
    writeFileSync(limit, "40");
    const { stderr } = await run("for i in $(seq 60); do sleep 1000 >/dev/null 2>&1 & done");
    expect(stderr).toMatch(/fork|Resource temporarily unavailable/);
    expect((await client.sh(victim, "true")).code).toBe(0);
    writeFileSync(limit, "2048");
    await run("pkill sleep");
    expect((await run("true")).code).toBe(0);
  });

  test("disk space gets an error, and others and the machine continue", async (context) => {
    context.skip(!isLimited("disk space"));
    const image = () => statSync(join(homeOf(acme), "disk.ext4"));
    const { code, stderr } = await run("cat /dev/zero > /workspace/zeros; cat /dev/zero > /tmp/zeros");
    expect([code, stderr]).toEqual([1, expect.stringContaining("No space left on device")]);
    expect((await run("head -c 1000000 /dev/zero > /tmp/more")).stderr).toContain("No space left on device");
    expect(await output("du -cmx /workspace /tmp | tail -n 1 | cut -f 1")).toMatch(/^(5\d|6\d)$/);
    expect([image().size, image().blocks * 512 <= DISK_MB * 1_000_000]).toEqual([DISK_MB * 1_000_000, true]);
    expect((await client.sh(victim, "head -c 10000000 /dev/zero > /tmp/x && rm /tmp/x")).code).toBe(0);
    // It runs, and deleted files free the machine's disk.
    expect((await run("rm -f /workspace/zeros /tmp/zeros && echo x > /tmp/more && sync")).code).toBe(0);
    await expect.poll(() => image().blocks * 512, { timeout: 20_000 }).toBeLessThan(10_000_000);
  });

  test("numbers of files gets an error, and others continue", async (context) => {
    context.skip(!isLimited("disk space"));
    const { stderr } = await run(
      "mkdir /tmp/files && cd /tmp/files && for i in $(seq 5000); do : > $i || exit 1; done",
    );
    expect(stderr).toContain("No space left on device");
    expect(Number(await output("ls /tmp/files | wc -l"))).toBeGreaterThan(3_000);
    expect((await client.sh(victim, ": > /tmp/x")).code).toBe(0);
    expect((await run("rm -r /tmp/files && : > /tmp/x")).code).toBe(0);
  });

  test("memory ends, others continue, and it starts again with its disk", async (context) => {
    context.skip(!isLimited("memory"));
    await run("echo kept > /workspace/kept");
    // `tail` holds a line until it ends.
    await run(`head -c ${2 * MEMORY_MIB * 1_048_576} /dev/zero | tail -n 1 >/dev/null`).catch(() => {});
    await expect.poll(() => statusOf(attacker), { timeout: 20_000 }).toMatchObject({ State: { Status: "exited" } });
    expect(await statusOf(victim)).toMatchObject({ State: { Status: "running" } });
    expect(commandsOf(attacker)).toEqual([]);
    await client.call("POST", `/containers/${attacker}/start`);
    expect(await output("cat /workspace/kept")).toBe("kept");
  });

  test("ends itself by killing all that it sees, and nothing else", async () => {
    await run("kill -9 -1").catch(() => {});
    await expect.poll(() => statusOf(attacker), { timeout: 20_000 }).toMatchObject({ State: { Status: "exited" } });
    expect([(await client.sh(victim, "cat /workspace/own")).stdout, commandsOf(victim).length]).toEqual(["own\n", 1]);
  });
});
