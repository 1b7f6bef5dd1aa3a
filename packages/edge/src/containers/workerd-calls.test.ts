/**
 * Lists every call that workerd makes to a container engine. They are not documented. When a new workerd changes them, the engine must support
 * the new calls.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { Miniflare } from "../runtime/workerd/miniflare.ts";
import { startContainerEngine } from "./engine.ts";
import { testImage } from "./testing/test-image.ts";

const SOURCE = `
  import { DurableObject, WorkerEntrypoint } from "cloudflare:workers";
  export class Way extends WorkerEntrypoint { fetch() { return new Response("taken"); } }
  const text = async (process) => new TextDecoder().decode((await process.output()).stdout);
  export class Box extends DurableObject {
    constructor(ctx, env) {
      super(ctx, env);
      if (ctx.container.running) ctx.waitUntil(ctx.container.monitor());
    }
    async fetch(request) {
      const { container } = this.ctx;
      const path = new URL(request.url).pathname;
      if (path === "/start") {
        container.start({ enableInternet: true, env: { GIVEN: "given" } });
        this.ctx.waitUntil(container.monitor());
        await container.setInactivityTimeout(60_000);
        await container.interceptOutboundHttp("way.internal", this.ctx.exports.Way({}));
        return new Response(await text(await container.exec(["sh", "-c", "echo $GIVEN $MORE"], { env: { MORE: "more" } })));
      }
      if (path === "/write") {
        const process = await container.exec(["sh", "-c", "wc -c"], { stdin: request.body });
        return new Response(await text(process));
      }
      if (path === "/port") {
        try { return await container.getTcpPort(18789).fetch("http://localhost:18789/health"); }
        catch (error) { return new Response(String(error)); }
      }
      if (path === "/destroy") { await container.destroy(); return new Response(); }
      return new Response(String(container.running));
    }
  }
  export default { fetch: (request, env) => env.BOX.getByName("one").fetch(request) };`;

/** Returns a call without the names of container and command, and the version. */
function shape(method: string | undefined, url: string, body: string): string {
  const path = url
    .replace(/workerd-[\w-]+?[0-9a-f]{64}(-proxy)?/g, (_, proxy) => (proxy ? "SIDECAR" : "CONTAINER"))
    .replace(/\/exec\/[0-9a-f]{64}/, "/exec/ID")
    .replace(/filters=.*/, "filters=…");
  const given = body === "" ? {} : (JSON.parse(body) as Record<string, unknown>);
  const fields = Object.keys(given).toSorted().join(",");
  return `${method} ${path}${fields === "" ? "" : ` {${fields}}`}`;
}

test("workerd makes exactly these calls of an engine", async () => {
  const directory = mkdtempSync(join(tmpdir(), "workerd-calls-"));
  const engine = await startContainerEngine({
    directory: join(directory, "containers"),
    image: testImage(),
    log: () => {},
  });
  const socketPath = engine.address.replace(/^unix:/, "");
  const calls = new Set<string>();
  const recorder = createServer(async ({ method, url = "", headers, ...incoming }: IncomingMessage, response) => {
    void incoming;
    const body = await buffer(response.req);
    calls.add(shape(method, url, body.toString("utf8")));
    const passed = request({ socketPath, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.once("error", () => response.destroy());
    response.once("close", () => passed.destroy());
    passed.end(body);
  });
  recorder.on("upgrade", (incoming: IncomingMessage, socket, head: Buffer) => {
    const length = Number(incoming.headers["content-length"]);
    calls.add(shape(incoming.method, incoming.url ?? "", head.subarray(0, length).toString("utf8")));
    const passed = connect({ path: socketPath, allowHalfOpen: true });
    const { rawHeaders: raw } = incoming;
    const lines = raw.flatMap((name, i) => (i % 2 === 0 ? [`${name}: ${raw[i + 1]}`] : []));
    passed.write(`POST ${incoming.url} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
    passed.write(head);
    socket.pipe(passed).pipe(socket);
    for (const one of [socket, passed]) one.on("error", () => one.destroy());
  });
  const path = join(directory, "recorder.sock");
  await new Promise<void>((resolve) => recorder.listen(path, resolve));
  const worker = () =>
    new Miniflare({
      modules: true,
      script: SOURCE,
      compatibilityDate: "2026-07-01",
      durableObjects: {
        BOX: {
          className: "Box",
          useSQLite: true,
          unsafeUniqueKey: engine.uniqueKey({ namespace: "tenants", name: "box" }, "Box"),
          container: { imageName: "box:1" },
        },
      },
      containerEngine: {
        localDocker: { socketPath: `unix:${path}`, containerEgressInterceptorImage: engine.egressImage },
      },
      handleRuntimeStdio: (out: Readable, err: Readable) => {
        out.resume();
        err.resume();
      },
    });
  let miniflare = worker();
  const ask = async (to: string, body?: string) =>
    (await miniflare.dispatchFetch(`http://box${to}`, body === undefined ? {} : { method: "POST", body })).text();
  try {
    expect(await ask("/start")).toBe("given more\n");
    expect(await ask("/write", "x".repeat(3_000_000))).toBe("3000000\n");
    expect(await ask("/port")).toContain("not listening");
    await miniflare.dispose();
    miniflare = worker();
    // Another workerd resumes the container.
    expect(await ask("/")).toBe("true");
    await ask("/destroy");
    expect(await ask("/")).toBe("false");
    expect([...calls].toSorted()).toEqual([
      "DELETE /containers/CONTAINER?force=true",
      "DELETE /containers/SIDECAR?force=true",
      "GET /containers/CONTAINER/json",
      "GET /containers/SIDECAR/json",
      "GET /exec/ID/json",
      "GET /networks/bridge",
      "GET /volumes?filters=…",
      "POST /containers/CONTAINER/exec {AttachStderr,AttachStdin,AttachStdout,Cmd,Env,Tty}",
      "POST /containers/CONTAINER/exec {AttachStderr,AttachStdin,AttachStdout,Cmd,Tty}",
      "POST /containers/CONTAINER/start",
      "POST /containers/CONTAINER/wait",
      "POST /containers/CONTAINER/wait?condition=removed",
      "POST /containers/SIDECAR/start",
      "POST /containers/create?name=CONTAINER {AttachStderr,AttachStdin,AttachStdout,Env,HostConfig,Image,NetworkDisabled,OpenStdin,StdinOnce,StopTimeout,Tty}",
      "POST /containers/create?name=SIDECAR {AttachStderr,AttachStdin,AttachStdout,Cmd,ExposedPorts,HostConfig,Image,NetworkDisabled,OpenStdin,StdinOnce,StopTimeout,Tty}",
      "POST /exec/ID/start {Detach,Tty}",
    ]);
  } finally {
    await miniflare.dispose();
    recorder.close();
    recorder.closeAllConnections();
    await engine.stop();
    rmSync(directory, { recursive: true, force: true });
  }
});
