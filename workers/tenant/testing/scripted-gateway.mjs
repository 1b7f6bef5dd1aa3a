/**
 * A gateway that its test controls.
 *
 *   GET  /health         200 `{"ok":true}`, or 503 while it is unhealthy; SIGUSR2 toggles this
 *   GET  /well           200 `well` or `unwell`
 *   GET  /never          never responds
 *   GET  /slow?ms=…      sends the head immediately, and the end after that time
 *   POST /bytes          the number of received bytes
 *   POST /keep           stores the body in the state directory
 *   GET  /kept           the stored body
 *   POST /say            writes the body to the log
 *   POST /busy?ms=…      blocks for that time
 *   POST /freeze         blocks forever
 *   POST /spin?ms=…      uses a third of a CPU for that time
 *   POST /devices        sets the response to `/device-order`
 *   POST /device-order   that response; 404 before, like a gateway without this path
 *   GET  /workz          404, like a gateway without this path; never responds after POST /mute
 *   GET  /echo           a WebSocket that echoes every message
 *
 * The optional argument is the time for which it is unhealthy after its start, in milliseconds.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { echo } from "../container/reference/websocket-echo.mjs";

const kept = join(process.env.STATE_DIR, "kept");
const begun = Date.now();
let isToggled = false;
let mute = false;
let devices;
const isWell = () => !isToggled && Date.now() - begun >= Number(process.argv[2] ?? 0);
process.on("SIGUSR2", () => {
  isToggled = !isToggled;
});

/** Blocks the process without using CPU. @param ms default: forever */
const block = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

const routes = {
  "GET /health": (_request, response) => {
    const ok = isWell();
    response.writeHead(ok ? 200 : 503, { "content-type": "application/json" }).end(JSON.stringify({ ok }));
  },
  "GET /well": (_request, response) => response.end(isWell() ? "well" : "unwell"),
  "GET /never": () => {},
  "GET /slow": async (request, response) => {
    response.writeHead(200).write("begun,");
    await delay(Number(new URL(request.url, "http://gateway").searchParams.get("ms")));
    response.end("ended");
  },
  "POST /bytes": async (request, response) => response.end(String((await buffer(request)).length)),
  "POST /keep": async (request, response) => {
    writeFileSync(kept, await buffer(request));
    response.end("kept");
  },
  "GET /kept": (_request, response) => response.end(existsSync(kept) ? readFileSync(kept) : ""),
  "POST /spin": (request, response) => {
    const end = Date.now() + Number(new URL(request.url, "http://gateway").searchParams.get("ms"));
    const spin = () => {
      for (const pause = Date.now() + 20; Date.now() < pause; );
      if (Date.now() < end) setTimeout(spin, 40);
    };
    spin();
    response.end();
  },
  "POST /mute": (_request, response) => {
    mute = true;
    response.end();
  },
  "GET /workz": (_request, response) => {
    if (!mute) response.writeHead(404).end();
  },
  "POST /devices": async (request, response) => {
    devices = await buffer(request);
    response.end();
  },
  "POST /device-order": (_request, response) => {
    response.writeHead(devices === undefined ? 404 : 200).end(devices);
  },
  "POST /say": async (request, response) => {
    process.stdout.write(`${await buffer(request)}\n`, () => response.end("said"));
  },
  "POST /busy": (request, response) => {
    const ms = Number(new URL(request.url, "http://gateway").searchParams.get("ms"));
    response.end("busy", () => block(ms));
  },
  "POST /freeze": (_request, response) => {
    response.end("frozen", () => block());
  },
};

const server = createServer((request, response) => {
  const route = routes[`${request.method} ${request.url.split("?")[0]}`];
  if (route === undefined) response.writeHead(404).end();
  else route(request, response);
});
server.on("upgrade", echo);
server.listen(Number(process.env.GATEWAY_PORT), process.env.GATEWAY_BIND === "lan" ? "0.0.0.0" : "127.0.0.1");
