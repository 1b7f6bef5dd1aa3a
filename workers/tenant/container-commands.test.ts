import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { endCommand, parseProcessQuery, parseStateQuery, processQuery, stateQuery } from "./container-commands.ts";

const ask = (path: string) => parseProcessQuery(execFileSync("sh", ["-c", processQuery(path)], { encoding: "utf8" }));

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
    const ours = () => ask(failurePath).processes.filter(({ id }) => id === String(gateway.pid));
    const children = () => execFileSync("pgrep", ["-P", String(gateway.pid)], { encoding: "utf8" }).trim();
    expect(ours()).toEqual([{ id: String(gateway.pid), type: "gateway", status: "running" }]);
    expect(ask(failurePath).processes.map(({ id }) => id)).not.toContain(children());
    gateway.kill("SIGSTOP");
    expect(ours()[0]?.status).toBe("suspended");
    writeFileSync(
      failurePath,
      JSON.stringify({ at: "2026-01-01T00:00:00.000Z", exitCode: 2, message: "it did not answer" }),
    );
    expect(ask(failurePath).failure).toEqual({
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
  expect(parseProcessQuery("")).toEqual({ processes: [] });
});

test("tells an empty state from an unmarked and a marked one", () => {
  const directory = mkdtempSync(join(tmpdir(), "state-query-"));
  const state = join(directory, "state");
  const look = () => parseStateQuery(execFileSync("sh", ["-c", stateQuery(state)], { encoding: "utf8" }));
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
