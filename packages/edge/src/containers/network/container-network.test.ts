/** The network of a container, seen from inside, with the real workerd. */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { closeAndCut, listen } from "@tenantry/std/listening";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Miniflare } from "../../runtime/workerd/miniflare.ts";
import { type ProcessEngine, startContainerEngine } from "../engine.ts";
import { EngineClient } from "../testing/engine-client.ts";
import { objectId } from "../testing/object-id.ts";
import { testImage } from "../testing/test-image.ts";
import { probeNetwork } from "./probe.ts";

/** `/start` starts a container with internet, `/close` without; both intercept. */
const SOURCE = `
  import { DurableObject, WorkerEntrypoint } from "cloudflare:workers";
  export class Way extends WorkerEntrypoint {
    async fetch(request) {
      if (request.headers.get("upgrade") === "websocket") {
        const [client, server] = Object.values(new WebSocketPair());
        server.accept();
        server.addEventListener("message", ({ data }) => server.send("echo " + data));
        return new Response(null, { status: 101, webSocket: client });
      }
      return new Response(this.ctx.props.by + " " + request.method + " " + request.url + " " + await request.text());
    }
  }
  export class Box extends DurableObject {
    async fetch(request) {
      const { container, exports } = { container: this.ctx.container, exports: this.ctx.exports };
      const by = (by) => exports.Way({ props: { by } });
      const { pathname } = new URL(request.url);
      if (pathname === "/destroy") { await container.destroy(); return new Response(); }
      if (container.running) return new Response("running");
      if (pathname === "/allowlist") {
        await container.interceptAllOutboundHttp(by("all"));
        await container.interceptOutboundHttps("*", by("tls"));
      } else {
        await container.interceptOutboundHttp("calls.internal", by("host"));
        // workerd lists no name that is registered after a range.
        if (pathname === "/open") await container.interceptOutboundHttp("203.0.113.0/24", by("range"));
        await container.interceptOutboundHttps("secure.internal", by("tls"));
      }
      container.start({ enableInternet: pathname === "/open" });
      this.ctx.waitUntil(container.monitor().catch(() => {}));
      await container.exec(["true"]).then((process) => process.exitCode);
      return new Response("started");
    }
  }
  export default { fetch: (request, env) => env.BOX.getByName(new URL(request.url).hostname).fetch(request) };`;

const SCRIPT = { namespace: "tenants", name: "box" };
const probed = await probeNetwork();
if (probed.kind === "shared")
  console.warn(`SKIPPED: own networks, which this machine does not allow: ${probed.reason}`);

describe.skipIf(probed.kind === "shared")("a container with its own network", () => {
  const directory = mkdtempSync(join(tmpdir(), "network-"));
  const standIn = createHttpServer((request, response) =>
    response.end(`stand-in ${request.headers.host}${request.url}`),
  );
  let standInPort = 0;
  let engine: ProcessEngine;
  let client: EngineClient;
  let miniflare: Miniflare;

  beforeAll(async () => {
    standInPort = await listen(standIn, { port: 0 });
    engine = await startContainerEngine({
      directory: join(directory, "containers"),
      image: testImage(),
      network: "own",
      internet: { "api.vendor.test": `127.0.0.1:${standInPort}`, "irc.vendor.test:6667": `127.0.0.1:${standInPort}` },
      log: () => {},
    });
    client = new EngineClient(engine.address);
    miniflare = new Miniflare({
      modules: true,
      script: SOURCE,
      compatibilityDate: "2026-07-01",
      durableObjects: {
        BOX: {
          className: "Box",
          useSQLite: true,
          unsafeUniqueKey: engine.uniqueKey(SCRIPT, "Box"),
          container: { imageName: "box:1" },
        },
      },
      containerEngine: {
        localDocker: { socketPath: engine.address, containerEgressInterceptorImage: engine.egressImage },
      },
      handleRuntimeStdio: (out: Readable, err: Readable) => {
        out.resume();
        err.resume();
      },
    });
    for (const kind of ["open", "allowlist", "other"]) await miniflare.dispatchFetch(`http://${kind}/${kind}`);
  });
  afterAll(async () => {
    await miniflare.dispose();
    await engine.stop();
    await closeAndCut(standIn);
    rmSync(directory, { recursive: true, force: true });
  });

  const nameOf = (object: string) => {
    const key = engine.uniqueKey(SCRIPT, "Box");
    return `workerd-${key}-${objectId(key, object)}`;
  };
  const run = (object: string, command: string) => client.sh(nameOf(object), command);
  const CA = "/etc/cloudflare/certs/cloudflare-containers-ca.crt";
  /** Returns the response, or the exit code of curl. */
  const curl = async (object: string, ...given: string[]) => {
    const quoted = given.map((part) => `'${part}'`).join(" ");
    const { code, stdout } = await run(object, `curl -sg -m 10 --cacert ${CA} ${quoted}`);
    return code === 0 ? stdout : code;
  };
  /** Exit codes of curl: a name that does not resolve, a refused connection, a lost one. */
  const [UNKNOWN_HOST, CANNOT_CONNECT, LOST] = [6, 7, 56];
  const REFUSALS = /^\S+ (?:7|35|56)$/;

  test("reaches its Worker by intercepted names and addresses", async () => {
    expect(await curl("open", "http://calls.internal/a?b=c", "-d", "body")).toBe(
      "host POST http://calls.internal/a?b=c body",
    );
    expect(await curl("open", "http://203.0.113.7/x")).toBe("range GET http://203.0.113.7/x ");
    expect(await curl("open", "https://secure.internal/x")).toBe("tls GET https://secure.internal/x ");
    for (const host of ["any.example", "93.184.216.34", "169.254.169.254", "[2606:2800:220:1::1]", "10.0.0.1"])
      expect(await curl("allowlist", `http://${host}/`)).toBe(`all GET http://${host}/ `);
    expect(await curl("allowlist", "https://any.example/")).toBe("tls GET https://any.example/ ");
  });

  test("presents a certificate of its own authority, which others do not trust", async () => {
    const other = await run("open", `curl -s -m 10 https://secure.internal/`);
    expect(other.code).toBe(60);
    expect((await run("allowlist", `cat ${CA}`)).stdout).not.toBe((await run("open", `cat ${CA}`)).stdout);
    expect((await run("open", `touch ${CA}`)).code).not.toBe(0);
  });

  test("exchanges WebSocket messages with its Worker", async () => {
    const program = `const s = new WebSocket("ws://calls.internal/"); s.onopen = () => s.send("hi"); s.onmessage = ({ data }) => { console.log(data); s.close(); }; s.onerror = () => process.exit(1);`;
    expect((await run("open", `node -e '${program}'`)).stdout).toBe("echo hi\n");
  });

  test("reaches stand-ins of the internet by their names and ports only, and only with internet", async () => {
    expect(await curl("open", "http://api.vendor.test/x")).toBe("stand-in api.vendor.test/x");
    expect(await curl("open", "http://irc.vendor.test:6667/x")).toBe("stand-in irc.vendor.test:6667/x");
    expect(await curl("open", "http://irc.vendor.test/x")).toBe(LOST);
    expect(await curl("other", "http://api.vendor.test/x")).toBe(UNKNOWN_HOST);
    // The Worker decides.
    expect(await curl("allowlist", "http://api.vendor.test/x")).toBe("all GET http://api.vendor.test/x ");
    expect(await curl("allowlist", "http://irc.vendor.test:6667/x")).toBe(LOST);
  });

  test("cannot reach the machine, private networks, other ports, or other containers", async () => {
    await run("other", `node -e 'require("net").createServer((s) => s.end("other")).listen(3000)' >/dev/null 2>&1 &`);
    await expect.poll(() => client.through(nameOf("other"), 3000)).toBe("HTTP/1.1 200 OK\r\n\r\nother");
    const machine = Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? []);
    const hosts = [
      ...machine,
      "0.0.0.0",
      "::1",
      "169.254.169.254",
      "10.0.0.1",
      "100.64.0.1",
      "fd00:ec2::254",
      "::ffff:127.0.0.1",
    ];
    const urls = hosts.flatMap((host) => {
      const quoted = host.includes(":") ? `[${host}]` : host;
      return [`http://${quoted}`, `https://${quoted}`, `http://${quoted}:${standInPort}`, `http://${quoted}:3000`];
    });
    const list = urls.map((url) => `curl -skg -m 10 ${url}; echo ${url} $?`).join("; ");
    const answers = (await run("open", list)).stdout.trim().split("\n");
    expect(answers).toHaveLength(urls.length);
    for (const answer of answers) expect(answer).toMatch(REFUSALS);
    // Refused where the machine cannot intercept every port.
    expect([CANNOT_CONNECT, LOST]).toContain(await curl("open", "http://calls.internal:8080/"));
  });

  test("cannot send UDP, or query another name server", async () => {
    const program = `const d = require("node:dgram"); for (const [host, port] of [["8.8.8.8", 53], ["1.1.1.1", 443], ["127.0.0.1", 123]]) { const s = d.createSocket("udp4"); s.on("error", ({ code }) => { console.log(port, code); s.close(); }); s.connect(port, host, () => s.send("x")); }`;
    const { stdout } = await run("open", `node -e '${program}'`);
    expect(stdout.trim().split("\n").toSorted()).toEqual(["123 ECONNREFUSED", "443 ECONNREFUSED", "53 ECONNREFUSED"]);
  });

  test("resolves names by its own name server, also by TCP", async () => {
    const program = `const { Resolver } = require("node:dns/promises"); const r = new Resolver(); (async () => { console.log(r.getServers().join(), (await r.resolve4("calls.internal")).join(), await r.resolve4("none.invalid").catch(({ code }) => code)); })();`;
    expect((await run("other", `node -e '${program}'`)).stdout).toMatch(/^127\.0\.0\.1 11\.0\.0\.\d+ ENOTFOUND\n$/);
  });

  test("accepts hundreds of connections", async () => {
    const program = `require("net").createServer((s) => s.end("many")).listen(3001)`;
    await run("other", `node -e '${program}' >/dev/null 2>&1 &`);
    const connect = () => client.through(nameOf("other"), 3001);
    await expect.poll(connect).toBe("HTTP/1.1 200 OK\r\n\r\nmany");
    const answers = await Promise.all(Array.from({ length: 200 }, connect));
    expect(new Set(answers)).toEqual(new Set(["HTTP/1.1 200 OK\r\n\r\nmany"]));
  });

  test("may listen on any address, and reach itself", async () => {
    const program = `require("http").createServer((q, s) => s.end("own")).listen(8080, "0.0.0.0", () => fetch("http://127.0.0.1:8080/").then((r) => r.text()).then((t) => { console.log(t); process.exit(); }))`;
    expect((await run("open", `node -e '${program}'`)).stdout).toBe("own\n");
  });
});
