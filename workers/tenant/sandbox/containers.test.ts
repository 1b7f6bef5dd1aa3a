/** Runs the same cases with the emulation and with a real engine. */
import { createServer } from "node:http";
import { closeAndCut, listen } from "@tenantry/std/listening";
import { afterAll, beforeAll, describe, expect, test as plain } from "vitest";
import { containerCases } from "../testing/container-cases.ts";
import { startTenant, TENANT_SCRIPT, type Tenant } from "../testing/harness.ts";
import { findRealEngine } from "../testing/real-engine.ts";

const found = await findRealEngine();
const engine = typeof found === "string" ? undefined : found;
if (typeof found === "string") console.warn(`SKIPPED: the tenant Worker with a real container engine; ${found}`);

describe("with plain processes", () => containerCases());

describe.skipIf(engine === undefined)("with a real container engine", () => {
  afterAll(async () => {
    await engine?.stop();
  });
  containerCases(engine?.open);

  /** Attacks from inside a container. */
  describe("a container cannot", () => {
    const MEMORY_MIB = 256;
    const DISK_MB = 400;
    let attacker: Tenant;
    let victim: Tenant;

    const script = (source: string, ...parameters: string[]) => attacker.inside(["node", "-e", source, ...parameters]);
    /** Returns the error of a program in Node.js, or `none`. */
    const errorOf = async (source: string) =>
      (await script(`try { ${source}; console.log("none") } catch (error) { console.log(error.code) }`)).trim();

    beforeAll(async () => {
      const open = () =>
        startTenant(undefined, {
          async openEngine(directory) {
            if (engine === undefined) throw new Error("There is no container engine.");
            const opened = await engine.open(directory);
            opened.deploy(TENANT_SCRIPT, "Sandbox", {
              ...{ image: "gateway", version: 1 },
              size: { memoryMiB: MEMORY_MIB, vcpu: 0.5, diskMB: DISK_MB },
            });
            return opened;
          },
        });
      [attacker, victim] = await Promise.all([open(), open()]);
      for (const tenant of [attacker, victim]) await tenant.until(({ status }) => status === "running");
    }, 180_000);
    afterAll(async () => {
      await attacker?.stop();
      await victim?.stop();
    });

    plain("have rights, or unfiltered system calls", async () => {
      for (const pid of ["self", "1"])
        expect(await attacker.inside(["grep", "-E", "^(Cap...|NoNewPrivs|Seccomp):", `/proc/${pid}/status`])).toMatch(
          /^(Cap...:\t0{16}\n){5}NoNewPrivs:\t1\nSeccomp:\t2\n$/,
        );
      expect((await attacker.inside(["id", "-u"])).trim()).toBe("1000");
    });

    plain("create a namespace, by which it would have rights in it", async () => {
      await expect(attacker.inside(["unshare", "--user", "true"])).rejects.toThrow("exited with 1");
    });

    plain.each([
      "/file",
      "/etc/file",
      "/opt/tenantry/file",
      "/usr/local/bin/file",
      "/opt/tenantry/start-gateway.mjs",
      "/etc/passwd",
    ])("write to %s", async (path) => {
      // Root without rights could write to a root that is not read-only.
      expect(await errorOf(`fs.appendFileSync("${path}", "")`)).toMatch(/^(EROFS|EACCES)$/);
      expect(await attacker.inside(["grep", " / ", "/proc/mounts"])).toMatch(/^\S+ \/ \S+ ro,/);
    });

    plain("write anywhere but to its workspace and to temporary files", async () => {
      const found = await attacker.inside(["sh", "-c", "find / -xdev -type d -writable 2>/dev/null; true"]);
      const isTemporary = (path: string) => /^\/(tmp|var\/tmp|run|dev\/shm|etc\/cloudflare)$/.test(path);
      expect(found.split("\n").filter((path) => path !== "" && path !== "/workspace" && !isTemporary(path))).toEqual(
        [],
      );
    });

    plain("exceed its memory, or change its limits", async () => {
      const fill = `const all = []; for (let i = 0; i < ${4 * MEMORY_MIB}; i++) all.push(Buffer.alloc(2 ** 20, 1)); console.log("filled")`;
      await expect(script(fill)).rejects.toThrow("exited with 137");
      const limits = await attacker.inside([
        "sh",
        "-c",
        "cat /sys/fs/cgroup/pids.max /sys/fs/cgroup/pids/pids.max /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes 2>/dev/null; true",
      ]);
      expect(limits.trim().split("\n")).toEqual(["2048", String(MEMORY_MIB * 2 ** 20)]);
      const files = ["pids.max", "pids/pids.max", "memory.max", "memory/memory.limit_in_bytes"];
      for (const file of files)
        expect(await errorOf(`fs.writeFileSync("/sys/fs/cgroup/${file}", "1000000000")`)).toMatch(
          /^(EROFS|EACCES|ENOENT)$/,
        );
      await attacker.until(({ status }) => status === "running");
    });

    // The engine of another machine, or without root, does not limit disks.
    plain.skipIf(process.getuid?.() !== 0)("exceed its disk", async () => {
      expect(await attacker.inside(["sh", "-c", "ls -A /tmp /workspace; id -u"])).not.toContain("lost+found");
      for (const [path, most] of [
        ["/workspace", (DISK_MB * 3) / 4],
        ["/tmp", DISK_MB / 4],
      ] as const) {
        const fill = `cat /dev/zero > ${path}/zeros; stat -c %s ${path}/zeros; rm ${path}/zeros`;
        const size = Number(await attacker.inside(["sh", "-c", `(${fill}) 2>/tmp/error`]));
        expect([path, size > most * 900_000, size < most * 1_000_000]).toEqual([path, true, true]);
        expect((await victim.inside(["sh", "-c", `echo x > ${path}/x; cat ${path}/x`])).trim()).toBe("x");
      }
      expect(await attacker.inside(["sh", "-c", "echo x > /workspace/x; cat /workspace/x"])).toBe("x\n");
    });

    plain("reach ports of the machine or of another container", async () => {
      const server = createServer((_, response) => response.end("the machine"));
      const port = await listen(server, { port: 0, host: "0.0.0.0" });
      const own = `require("os").networkInterfaces().eth0.find(({ family }) => family === "IPv4").address`;
      const address = (await victim.inside(["node", "-p", own])).trim();
      const served = `require("http").createServer((_, response) => response.end("the victim")).listen(8080)`;
      await victim.inside(["sh", "-c", `node -e '${served}' >/dev/null 2>&1 &`]);
      const machine = /^(\S+)\s+host\.docker\.internal/m.exec(await attacker.inside(["cat", "/etc/hosts"]))?.[1];
      try {
        // The machine itself reaches both.
        expect(await (await fetch(`http://${machine}:${port}`)).text()).toBe("the machine");
        await expect
          .poll(() => fetch(`http://${address}:8080`).then((response) => response.text(), String), { timeout: 10_000 })
          .toBe("the victim");
        const reach = `const [host, port] = process.argv.slice(1);
          require("net").connect(port, host).setTimeout(5_000, () => process.exit(console.log("timeout")))
            .once("connect", () => process.exit(console.log("connected")))
            .once("error", ({ code }) => process.exit(console.log(code)));`;
        // The last is the sidecar, which passes on to all ports of its container.
        const targets = [
          [machine, port],
          [address, 8_080],
          [address, 39_001],
        ];
        for (const [host, to] of targets)
          expect([host, to, (await script(reach, String(host), String(to))).trim()]).toEqual([
            host,
            to,
            "ECONNREFUSED",
          ]);
        const send = `const socket = require("dgram").createSocket("udp4");
          socket.send("x", Number(process.argv[2]), process.argv[1], (error) => { console.log(error?.code ?? "sent"); socket.close(); })`;
        expect((await script(send, String(machine), String(port))).trim()).toMatch(/^(EPERM|ECONNREFUSED)$/);
      } finally {
        await closeAndCut(server);
      }
    });
  });
});
