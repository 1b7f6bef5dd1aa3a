/** The container engine, called as workerd does: in namespaces if the machine allows them, and as plain processes. */
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { listen } from "@tenantry/std/listening";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { Confinement } from "./isolation/confinement.ts";
import { findProcesses } from "./isolation/processes.ts";
import type { NetworkKind } from "./network/probe.ts";
import { acme, hooli, ID, probed, unconfined, useEngine } from "./testing/test-engine.ts";
import { testImage } from "./testing/test-image.ts";

const context = useEngine();
const { start, nameOf, status, diskOf } = context;

const kinds: [string, Confinement, NetworkKind][] = [["as plain processes", unconfined, "shared"]];
if (probed.kind === "namespaces")
  kinds.push(["in namespaces", probed, "shared"], ["in namespaces with own networks", probed, "own"]);
else console.warn(`SKIPPED: containers in namespaces, which this machine does not allow: ${probed.reason}`);

describe.each(kinds)("%s", (_, confinement, network) => {
  beforeEach(() => start({ confinement, network }));

  test("creates a container, runs commands with environment, exit code and output, and removes it", async () => {
    const name = nameOf(acme);
    expect(await status(name)).toBeUndefined();
    await context.client.start(name);
    expect(await status(name)).toBe("running");
    expect((await context.client.call("POST", `/containers/create?name=${name}`, { Image: "test" })).status).toBe(409);
    expect((await context.client.call("POST", `/containers/${name}/start`)).status).toBe(304);
    const ran = await context.client.sh(name, 'echo "$GIVEN"; echo wrong >&2; exit 3', ["GIVEN=a=b"]);
    expect(ran).toEqual({ code: 3, stdout: "a=b\n", stderr: "wrong\n" });
    expect((await context.client.exec(name, ["no-such-program"])).code).not.toBe(0);
    expect((await context.client.call("DELETE", `/containers/${name}?force=true`)).status).toBe(204);
    expect(await status(name)).toBeUndefined();
    expect(readdirSync(context.directory, { recursive: true }).join()).not.toContain("disk");
  });

  test("gives a container the environment of its image at creation, and the engine's program for other images", async () => {
    await context.engine.stop();
    const images = join(context.directory, "images.json");
    const writeImages = (content: unknown) => writeFileSync(images, JSON.stringify(content));
    const image = testImage();
    image.variables.VERSION_PROGRAM = '["tell"]';
    const settings = { confinement, network, images, image };
    writeImages({ "box:1": { GIVEN: "by the image", PROGRAM: '["one"]', PATH: "/usr/bin:/bin" } });
    await start(settings);
    const name = nameOf(acme);
    const remove = async () => {
      for (const container of [name, `${name}-proxy`])
        await context.client.call("DELETE", `/containers/${container}?force=true`);
    };
    const printVariables = async (variables: string[] = []) => {
      const { stdout } = await context.client.sh(name, 'echo "$GIVEN $PROGRAM $VERSION_PROGRAM $PATH"', variables);
      return stdout.trimEnd();
    };
    await context.client.start(name, "box:1");
    expect(await printVariables()).toBe('by the image ["one"]  /usr/bin:/bin');
    expect(await printVariables(["GIVEN=by the call", "PROGRAM=[]"])).toBe('by the call ["one"]  /usr/bin:/bin');
    writeImages({ "box:1": { GIVEN: "later" } });
    await context.engine.stop();
    await start(settings);
    expect(nameOf(acme)).toBe(name);
    expect(await printVariables()).toBe('by the image ["one"]  /usr/bin:/bin');
    await remove();
    await context.client.start(name, "box:1");
    expect(await printVariables()).toMatch(/^later \["true"\] \["tell"\] /);
    await remove();
    await context.client.start(name, "box:2");
    expect(await printVariables()).toMatch(/^ \["true"\] \["tell"\] /);
    await remove();
    writeImages({ "box:1": { VERSION_PROGRAM: '["other"]' } });
    await context.client.start(name, "box:1");
    expect(await printVariables()).toMatch(/^ \["true"\] \["tell"\] /);
    await remove();
    writeImages({ "box:1": { "no name": 1 } });
    const refused = await context.client.call("POST", `/containers/create?name=${name}`, { Image: "box:1" });
    expect(refused).toMatchObject({ status: 500, body: { message: expect.stringContaining("images.json must be") } });
  });

  test("starts the main program with its container, which ends with its exit code", async () => {
    const name = nameOf(acme);
    const body = {
      Image: "test",
      Env: ["CODE=3"],
      Cmd: ["sh", "-c", 'echo ran > "$HOME/note"; read line < "$HOME/pipe"; exit $CODE'],
    };
    await context.client.call("POST", `/containers/create?name=${name}-proxy`, body);
    expect((await context.client.call("POST", `/containers/create?name=${name}`, body)).status).toBe(201);
    mkdirSync(join(diskOf(acme), "workspace"), { recursive: true });
    spawnSync("mkfifo", ["-m", "666", join(diskOf(acme), "workspace/pipe")]);
    await context.client.call("POST", `/containers/${name}/start`);
    await expect.poll(async () => (await context.client.sh(name, 'cat "$HOME/note"')).stdout).toBe("ran\n");
    const waiting = context.client.call("POST", `/containers/${name}/wait`);
    await context.client.sh(name, 'echo > "$HOME/pipe"').catch(() => undefined);
    expect((await waiting).body).toEqual({ StatusCode: 3 });
    expect(await status(name)).toBe("exited");
  });

  test("passes three megabytes of input and output", async () => {
    const name = nameOf(acme);
    await context.client.start(name);
    const input = Buffer.from(randomBytes(3_000_000).toString("base64"));
    const { code, stdout } = await context.client.exec(name, ["cat"], { input });
    expect([code, stdout === input.toString("utf8")]).toEqual([0, true]);
  });

  test("ends all processes with the container, and notifies waiting callers", async () => {
    const name = nameOf(acme);
    await context.client.start(name);
    await context.client.sh(name, "setsid sleep 1000 >/dev/null 2>&1 & trap '' TERM; (sleep 1000) >/dev/null 2>&1 &");
    await expect.poll(() => findProcesses(context.engine.marker).length).toBeGreaterThanOrEqual(2);
    const waiting = context.client.call("POST", `/containers/${name}/wait`);
    const removal = context.client.call("POST", `/containers/${name}/wait?condition=removed`);
    const running = context.client.sh(name, "sleep 1000");
    await expect.poll(() => findProcesses(context.engine.marker).length).toBeGreaterThanOrEqual(3);
    await context.client.call("POST", `/containers/${name}/kill?signal=SIGKILL`);
    expect((await waiting).status).toBe(200);
    expect((await running).code).not.toBe(0);
    expect(findProcesses(context.engine.marker)).toEqual([]);
    expect(await status(name)).toBe("exited");
    await context.client.call("DELETE", `/containers/${name}?force=true`);
    expect((await removal).status).toBe(200);
  });

  test("resumes a container with its disk after a stop, but not a removed one", async () => {
    const name = nameOf(acme);
    await context.client.start(name);
    await context.client.sh(name, 'echo kept > "$HOME/note"');
    await context.client.start(nameOf(hooli));
    await context.client.call("DELETE", `/containers/${nameOf(hooli)}?force=true`);
    await context.engine.stop();
    await start({ confinement, network });
    expect(nameOf(acme)).toBe(name);
    expect(await status(nameOf(hooli))).toBeUndefined();
    expect(await status(name)).toBe("running");
    expect((await context.client.call("GET", `/containers/${name}-proxy/json`)).status).toBe(200);
    expect((await context.client.sh(name, 'cat "$HOME/note"')).stdout).toBe("kept\n");
  });

  test("passes the container's port through the sidecar, and no other port of the machine", async () => {
    const name = nameOf(acme);
    await context.client.start(name);
    const listening = context.client.sh(
      name,
      `node -e 'require("node:net").createServer((s) => s.end("hello")).listen(Number(process.env.PROGRAM_PORT), "127.0.0.1")'`,
    );
    const other = createServer((socket) => socket.end("other"));
    await listen(other, { port: 0 });
    onTestFinished(() => void other.close());
    const { port } = other.address() as { port: number };
    await expect
      .poll(() => context.client.through(name, 18789), { timeout: 20_000 })
      .toBe("HTTP/1.1 200 OK\r\n\r\nhello");
    expect(await context.client.through(name, port)).toContain("400");
    await context.client.call("DELETE", `/containers/${name}?force=true`);
    expect(await context.client.through(name, 18789)).toContain("400");
    await listening;
  });

  test("rejects a container without a script, and unsupported calls", async () => {
    const { status: refused } = await context.client.call("POST", `/containers/create?name=workerd-other-${ID}`, {
      Image: "x",
    });
    expect(refused).toBe(500);
    expect((await context.client.call("GET", "/info")).status).toBe(501);
  });
});
