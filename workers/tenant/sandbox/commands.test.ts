import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { endCommand, parseProcessQuery, parseStateQuery, processQuery, stateQuery } from "./commands.ts";

const run = (command: string, env: Record<string, string>) =>
  execFileSync("sh", ["-c", command], { encoding: "utf8", env: { ...process.env, ...env } });
const ask = (directory: string, env: Record<string, string> = {}) =>
  parseProcessQuery(run(processQuery(), { RUN_DIR: directory, ...env }));

test("finds the marked process and its state, not the children that inherit the marker", async () => {
  const directory = mkdtempSync(join(tmpdir(), "process-query-"));
  const failurePath = join(directory, "start-failure.json");
  const shell = 'export TENANTRY_PROCESS="gateway:$$"; exec "$0" -e "$1"';
  const program =
    'require("node:child_process").spawn("sleep", ["60"]).once("spawn", () => console.log("up")); setInterval(() => {}, 1e5)';
  const gateway = spawn("sh", ["-c", shell, process.execPath, program], {
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    await once(gateway.stdout, "data");
    const ours = () => ask(directory).processes.filter(({ id }) => id === String(gateway.pid));
    const children = () => execFileSync("pgrep", ["-P", String(gateway.pid)], { encoding: "utf8" }).trim();
    expect(ours()).toEqual([{ id: String(gateway.pid), type: "gateway", status: "running" }]);
    expect(ask(directory).processes.map(({ id }) => id)).not.toContain(children());
    expect(ask(directory).family).toEqual(expect.arrayContaining([String(gateway.pid), children()]));
    // Of a container of its own alone, where all containers' processes are listed.
    expect(ask(directory, { TENANTRY_SANDBOX: "another" })).toEqual({ processes: [], family: [] });
    gateway.kill("SIGSTOP");
    expect(ours()[0]?.status).toBe("suspended");
    writeFileSync(
      failurePath,
      JSON.stringify({ at: "2026-01-01T00:00:00.000Z", exitCode: 2, message: "it did not answer" }),
    );
    expect(ask(directory).failure).toEqual({
      at: "2026-01-01T00:00:00.000Z",
      exitCode: 2,
      message: "it did not answer",
    });
  } finally {
    process.kill(-(gateway.pid ?? 0), "SIGKILL");
    rmSync(directory, { recursive: true, force: true });
  }
});

test("ends a process and its group, by force when it does not go", async () => {
  const polite = spawn("sh", ["-c", "sleep 60 & wait"], { detached: true, stdio: "ignore" });
  const stubborn = spawn("sh", ["-c", "trap '' TERM; echo up; while :; do sleep 1; done"], {
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  await once(stubborn.stdout, "data");
  const ends = [once(polite, "exit"), once(stubborn, "exit")];
  try {
    const command = once(spawn("sh", ["-c", endCommand([String(polite.pid), String(stubborn.pid)])]), "exit");
    expect(await command).toEqual([0, null]);
    expect((await Promise.all(ends)).map(([, signal]) => signal)).toEqual(["SIGTERM", "SIGKILL"]);
  } finally {
    stubborn.kill("SIGKILL");
  }
});

test("an empty answer, as of a container that sleeps, is an empty list", () => {
  expect(parseProcessQuery("")).toEqual({ processes: [], family: [] });
});

test("tells an empty state from an unmarked and a marked one", () => {
  const directory = mkdtempSync(join(tmpdir(), "state-query-"));
  const state = join(directory, "state");
  const look = () => parseStateQuery(run(stateQuery(), { STATE_DIR: state }));
  try {
    expect(look()).toEqual({ empty: true });
    mkdirSync(state);
    expect(look()).toEqual({ empty: true });
    writeFileSync(join(state, "memory"), "");
    expect(look()).toEqual({ empty: false });
    writeFileSync(join(state, ".tenantry-state.json"), '{"id":"one"}');
    expect(look()).toEqual({ empty: false, id: "one" });
    expect(parseStateQuery("")).toEqual({ empty: true });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
