import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { pluginPaths } from "./plugin-paths.ts";

const executables = pluginPaths.map(({ name, path }) => [name, join(path, `pulumi-resource-${name}`)] as const);

/** Starts an executable as the engine does. @returns also the port from its first line */
async function start(path: string, env: Record<string, string>) {
  const child = spawn(path, ["127.0.0.1:1"], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [line] = await once(child.stdout.setEncoding("utf8"), "data");
  return { child, port: Number(line), ended: once(child, "exit") };
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } finally {
    socket.destroy();
  }
}

describe.each(executables)("the plugin executable of %s", (_name, path) => {
  test("serves on the port it prints, and ends on SIGINT", async () => {
    const { child, port, ended } = await start(path, {});
    expect(await listens(port)).toBe(true);
    child.kill("SIGINT");
    expect(await ended).toEqual([0, null]);
  }, 60_000);

  test("ends when the engine has ended", async () => {
    const { child, ended } = await start(path, {});
    child.stdin.end();
    expect(await ended).toEqual([0, null]);
  }, 60_000);

  test("prints the port of a running server, and ends with the engine", async () => {
    const { child, port, ended } = await start(path, { PULUMI_PLUGIN_HOST_PORT: "12345" });
    expect(port).toBe(12345);
    child.stdin.end();
    expect(await ended).toEqual([0, null]);
  }, 60_000);
});
