import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { PROCESS_MARKER } from "../../workers/contracts/sandbox.ts";
import { type FoundProcess, findProcesses, ProcessWatch, SANDBOX_MARKER } from "./processes.ts";

const SOON = { timeout: 20_000, interval: 5 };
const STRANGER_MS = 2_000;

/** A shell that goes on with each line it is sent. */
function shell(script: string, env: Record<string, string> = {}): ChildProcess & { pid: number } {
  const child = spawn("sh", ["-c", script], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ["pipe", "ignore", "inherit"],
  });
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  });
  if (child.pid === undefined) throw new Error("The shell did not start.");
  return Object.assign(child, { pid: child.pid });
}

describe("a sandbox's processes", () => {
  let sandbox: string;
  let clock: number;
  let watch: ProcessWatch;
  beforeEach(() => {
    // No such directory has to exist.
    sandbox = `/sandboxes-of-a-test/${process.pid}-${Math.random()}`;
    clock = 0;
    watch = new ProcessWatch(sandbox, { now: () => clock });
  });
  const marked = (more: Record<string, string> = {}) => ({ [SANDBOX_MARKER]: sandbox, ...more });
  const told = (found: FoundProcess[]) => found.map(({ pid, type, port }) => ({ pid, type, port }));
  /** What the watch finds, which is what a pass that remembers nothing does. */
  const seen = () => {
    const found = told(watch.find());
    expect(found).toEqual(told(findProcesses(sandbox)));
    return found;
  };

  test("are found when they start, become another program, stop, and end", async () => {
    expect(seen()).toEqual([]);
    const child = shell(
      `read line; export ${PROCESS_MARKER}="script:$$"; exec sh -c 'read line; exec sh -c "read line"'`,
      marked({ GATEWAY_PORT: "18789" }),
    );
    const { pid } = child;
    await expect.poll(seen, SOON).toEqual([{ pid, type: undefined, port: 18789 }]);
    child.stdin?.write("go on\n");
    await expect.poll(seen, SOON).toEqual([{ pid, type: "script", port: 18789 }]);
    child.kill("SIGSTOP");
    await expect.poll(() => watch.find()[0]?.state, SOON).toBe("T");
    child.kill("SIGCONT");
    child.stdin?.write("go on\n");
    await expect.poll(seen, SOON).toEqual([{ pid, type: "script", port: 18789 }]);
    const ended = once(child, "exit");
    child.stdin?.end("go on\n");
    await ended;
    expect(seen()).toEqual([]);
  });

  test("are found though they were started by one of them", async () => {
    const { pid } = shell("sh -c 'read line'; exit", marked());
    await expect.poll(() => watch.find().length, SOON).toBe(2);
    expect(watch.find().map((one) => one.pid)).toContain(pid);
  });

  test("are those of the sandbox alone, and one that left it is none", async () => {
    shell("read line", { [SANDBOX_MARKER]: `${sandbox}-other` });
    shell("read line", { NOTHING: SANDBOX_MARKER });
    const leaver = shell("read line; exec env -i sh -c 'read line'", marked());
    await expect.poll(() => seen().map(({ pid }) => pid), SOON).toEqual([leaver.pid]);
    leaver.stdin?.write("go on\n");
    await expect.poll(seen, SOON).toEqual([]);
  });

  test("include who takes the marker on, once it was a stranger for two seconds", async () => {
    const child = shell(`read line; export ${SANDBOX_MARKER}="${sandbox}"; exec sh -c 'read line'`);
    expect(seen()).toEqual([]);
    child.stdin?.write("go on\n");
    await expect.poll(() => findProcesses(sandbox).length, SOON).toBe(1);
    clock += STRANGER_MS;
    expect(seen()).toEqual([{ pid: child.pid, type: undefined, port: undefined }]);
  });
});

describe("what the system tells", () => {
  const SANDBOX = "/sandboxes/one";
  const OURS = `${SANDBOX_MARKER}=${SANDBOX}\0`;
  let proc: string;
  let clock: number;
  let watch: ProcessWatch;
  beforeEach(() => {
    proc = mkdtempSync(join(tmpdir(), "proc-"));
    onTestFinished(() => rmSync(proc, { recursive: true, force: true }));
    mkdirSync(join(proc, "sys"));
    clock = 0;
    watch = new ProcessWatch(SANDBOX, { proc, now: () => clock });
  });

  function process(pid: number, environ: string, { state = "S", flags = 0 } = {}): void {
    const directory = join(proc, String(pid));
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, "environ"), environ);
    writeFileSync(join(directory, "stat"), `${pid} (a ) b) ${state} 1 7 7 0 -1 ${flags} 0 0`);
  }
  const end = (pid: number) => rmSync(join(proc, String(pid)), { recursive: true });
  const seen = () => watch.find().map(({ pid }) => pid);

  test("a number that was a stranger's is another's once it was gone", () => {
    process(7, "A=b\0");
    expect(seen()).toEqual([]);
    end(7);
    expect(seen()).toEqual([]);
    process(7, OURS);
    expect(seen()).toEqual([7]);
    end(7);
    process(7, "A=b\0");
    expect(seen()).toEqual([]);
  });

  test("none is missed while the system does not list them again", () => {
    const told = (lastId: number) => writeFileSync(join(proc, "sys/kernel/ns_last_pid"), `${lastId}\n`);
    mkdirSync(join(proc, "sys/kernel"));
    process(7, OURS);
    process(8, "A=b\0");
    process(9, "");
    told(9);
    expect(seen()).toEqual([7]);
    process(9, OURS);
    expect(seen()).toEqual([7, 9]);
    end(7);
    expect(seen()).toEqual([9]);
    process(10, OURS);
    told(10);
    expect(seen().toSorted()).toEqual([10, 9]);
    // The numbers begin anew.
    end(8);
    process(8, OURS);
    told(8);
    process(9, "A=b\0");
    expect(seen().toSorted()).toEqual([10]);
    clock += STRANGER_MS;
    expect(seen().toSorted()).toEqual([10, 8]);
  });

  test("a process between two programs is looked at again, a thread of the kernel or a dead one is not", () => {
    process(7, "");
    process(8, "", { flags: 0x0020_8040 });
    process(9, "", { state: "Z" });
    expect(seen()).toEqual([]);
    for (const pid of [7, 8, 9]) process(pid, OURS);
    expect(seen()).toEqual([7]);
    clock += STRANGER_MS;
    expect(seen()).toEqual([7, 8, 9]);
  });

  test("a long environment is read whole", () => {
    process(7, `LONG=${"x".repeat(300_000)}\0${OURS}`);
    process(8, OURS);
    expect(seen()).toEqual([7, 8]);
  });
});
