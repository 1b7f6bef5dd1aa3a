import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listen } from "@tenantry/std/listening";
import { reservedPort } from "@tenantry/test-kit/reserved-port";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { keptSnapshot } from "./cached-platform.ts";
import type { Snapshot } from "./platform-snapshot.ts";

const GONE_PID = 2 ** 22;

let kept: string;
let deployments: number;
beforeEach(() => {
  kept = mkdtempSync(join(tmpdir(), "kept-platforms-"));
  onTestFinished(() => rmSync(kept, { recursive: true, force: true }));
  deployments = 0;
});

/** A deployment's result, with a text in `state.json`. */
async function deploy(): Promise<Snapshot> {
  deployments += 1;
  const directory = mkdtempSync(join(tmpdir(), "deployed-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  mkdirSync(join(directory, "postgres/data"), { recursive: true });
  writeFileSync(join(directory, "postgres/postgres.json"), JSON.stringify({ home: null, password: "", port: null }));
  writeFileSync(join(directory, "state.json"), String(deployments));
  const databaseUrl = `postgres://postgres@127.0.0.1:${await reservedPort()}/tenantry`;
  return { directory, port: await reservedPort(), databaseUrl };
}

const stateOf = ({ directory }: Snapshot) => readFileSync(join(directory, "state.json"), "utf8");
const take = (key = "content") => keptSnapshot(deploy, { kept, key });
/** Starts a process that takes a directory of `content`. */
const has = (number: number, pid: number) => writeFileSync(join(kept, `content/${number}.lock`), String(pid));

test("creates a snapshot once for the same content, for later runs too", async () => {
  const first = await take();
  has(1, GONE_PID);
  const second = await take();
  expect(deployments).toBe(1);
  expect(stateOf(second)).toBe("1");
  expect(second).toEqual({ ...first, directory: join(kept, "content/1") });
});

test("gives each process a snapshot of its own", async () => {
  const [one, other] = [await take(), await take()];
  expect(deployments).toBe(2);
  expect(one.port).not.toBe(other.port);
});

test("creates a half-written snapshot again", async () => {
  await take();
  has(1, GONE_PID);
  rmSync(join(kept, "content/1/snapshot.json"));
  expect(stateOf(await take())).toBe("2");
  expect(existsSync(join(kept, "content/1/snapshot.json"))).toBe(true);
});

test("creates a snapshot again when its port is taken", async () => {
  const { port } = await take();
  has(1, GONE_PID);
  const server = createServer();
  onTestFinished(() => void server.close());
  await listen(server, { port });
  expect((await take()).port).not.toBe(port);
});

test("removes snapshots of other content, unless a process uses one", async () => {
  await take("old");
  await take("in-use");
  writeFileSync(join(kept, "old/1.lock"), String(GONE_PID));
  await take();
  expect(readdirSync(kept).toSorted()).toEqual(["content", "in-use"]);
});
