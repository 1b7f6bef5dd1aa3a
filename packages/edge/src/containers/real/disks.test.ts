/** Disks of limited size by a fake Podman. `workers/tenant/sandbox/containers.test.ts` fills those of a real one. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { closeAndCut, listen } from "@tenantry/std/listening";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { startBridge } from "./bridge.ts";
import { RealEngineClient } from "./client.ts";
import { OwnContainers } from "./containers.ts";
import { VolumeDisks } from "./disks.ts";
import { hardenContainer } from "./hardening/hardening.ts";

const canCreate = spawnSync("sh", ["-c", 'PATH="$PATH:/usr/sbin:/sbin"; command -v mkfs.ext4']).status === 0;
const NAME = "workerd-tenant-acme-1";

let directory: string;
let client: RealEngineClient;
let disks: VolumeDisks;
/** Devices of volumes. */
let volumes: Map<string, string>;
/** Bodies of created containers. */
let created: unknown[];
/** Volumes that containers use. */
let used: Set<string>;
/** Whether a container with volumes starts. */
let mounts: boolean;

const volume = z.object({
  Name: z.string(),
  Driver: z.literal("local"),
  DriverOpts: z.object({ type: z.literal("ext4"), device: z.string(), o: z.string() }),
});

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "volumes-test-"));
  [volumes, created, used, mounts] = [new Map(), [], new Set(), true];
  const server = createServer(async (request, response) => {
    const url = request.url ?? "";
    const answer = (status: number) => response.writeHead(status).end("{}");
    const name = url.split("/")[2] ?? "";
    if (url === "/volumes/create") {
      const { Name, DriverOpts } = volume.parse(await json(request));
      volumes.set(Name, DriverOpts.device);
      return answer(201);
    }
    if (url.startsWith("/volumes/")) return answer(used.has(name) ? 409 : volumes.delete(name) ? 204 : 404);
    if (url.startsWith("/containers/create")) created.push(await json(request));
    if (url.startsWith("/containers/create")) return answer(201);
    if (url.endsWith("/start")) return answer(mounts || volumes.size === 0 ? 204 : 500);
    answer(204);
  });
  const path = join(directory, "engine.sock");
  await listen(server, { path });
  onTestFinished(async () => {
    await closeAndCut(server);
    rmSync(directory, { recursive: true });
  });
  client = new RealEngineClient(path);
  disks = new VolumeDisks(client, directory);
});

const images = () => readdirSync(join(directory, ".disks")).toSorted();
const imageOf = (name: string) => join(directory, ".disks", name);
/** @param program that shows a file system */
const contentOf = (image: string, program = "debugfs") =>
  spawnSync(program, ["-R", "ls -p /", image], { encoding: "utf8" }).stdout;
const start = (isRoot = true) => {
  const containers = new OwnContainers(client, "mark", disks);
  return startBridge({ client, containers, disks, isRoot, name: "bridge", image: "gateway" });
};

describe.skipIf(!canCreate)("a disk in Podman", () => {
  test("is two empty images of its size in all, which end with their container", async () => {
    const mounted = await disks.create(NAME, 100);
    expect(mounted).toEqual([`${NAME}-workspace:/workspace`, `${NAME}-tmp:/tmp`]);
    expect(images().map((name) => [name, statSync(imageOf(name)).size])).toEqual([
      [`${NAME}-tmp.ext4`, 24_997_888],
      [`${NAME}-workspace.ext4`, 74_997_760],
    ]);
    expect(volumes.get(`${NAME}-tmp`)).toBe(imageOf(`${NAME}-tmp.ext4`));
    // Podman fills empty volumes only.
    const list = contentOf(imageOf(`${NAME}-tmp.ext4`));
    expect(list.match(/[^/]+(?=\/\/$)/gm)).toEqual([".", ".."]);
    const able = { memory: true, swap: true, cpu: true, pids: true, filter: true, users: false };
    const body = hardenContainer({ Image: "gateway" }, able, { size: undefined, filter: undefined, disk: mounted });
    expect(body).toMatchObject({ Volumes: { "/etc/cloudflare": {} }, HostConfig: { Binds: mounted } });
    expect(Object.keys(body.Volumes as object)).toEqual(["/etc/cloudflare"]);

    await disks.remove(NAME, async () => {});
    expect([images(), volumes.size]).toEqual([[], 0]);
  });

  test("is removed with its container when the state of the edge was deleted before", async () => {
    await disks.create(NAME, 100);
    rmSync(join(directory, ".disks"), { recursive: true });
    await disks.remove(NAME, async () => {});
    expect([...volumes]).toEqual([]);
  });

  test("of a container is replaced when that is created again at once", async () => {
    await disks.create(NAME, 100);
    used = new Set(volumes.keys());
    const removed = Promise.withResolvers<void>();
    const removal = disks.remove(NAME, () => removed.promise);
    const again = disks.create(NAME, 200);
    used.clear();
    removed.resolve();
    await Promise.all([removal, again]);
    expect(images().map((name) => statSync(imageOf(name)).size)).toEqual([49_999_872, 149_999_616]);
  });

  test("is removed at the next start when an edge was killed, unless its container exists", async () => {
    await disks.create(NAME, 100);
    await disks.create("gone", 100);
    mkdirSync(imageOf("content-1"));
    writeFileSync(imageOf("gone-tmp.ext4.new"), "");
    await new VolumeDisks(client, directory).removeOthers(new Set([NAME]));
    expect([images(), [...volumes.keys()]]).toEqual([
      [`${NAME}-tmp.ext4`, `${NAME}-workspace.ext4`],
      [`${NAME}-workspace`, `${NAME}-tmp`],
    ]);
  });

  test("is tried with the container that keeps the bridge", async () => {
    expect(await start()).toBeUndefined();
    expect(created).toEqual([
      {
        Image: "gateway",
        HostConfig: { NetworkMode: "bridge", Binds: ["bridge-workspace:/workspace", "bridge-tmp:/tmp"] },
      },
    ]);
  });

  test.each([
    ["Podman cannot mount it", true, "Podman mounts no images here"],
    ["Podman is not root", false, "images need root"],
  ])("is a directory, and the reason is stated, when %s", async (_, isRoot, reason) => {
    mounts = false;
    expect(await start(isRoot)).toBe(reason);
    expect(created.at(-1)).toEqual({ Image: "gateway", HostConfig: { NetworkMode: "bridge" } });
    expect(volumes.size).toBe(0);
  });
});
