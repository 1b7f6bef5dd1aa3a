/**
 * A gateway that is as its test tells it to be. It keeps what it is told in its state directory.
 *
 *   GET  /health         200 `{"ok":true}`, or 503 while it is unwell; SIGUSR2 changes which
 *   GET  /mood           200 `well` or `unwell`
 *   GET  /never          never answers
 *   GET  /slow?ms=…      answers its head at once, and its end after that time
 *   POST /bytes          how many bytes came
 *   POST /keep           keeps the body
 *   GET  /kept           what was kept
 *   POST /say            writes the body to its output
 *   POST /busy?ms=…      does nothing else for that time
 *   POST /freeze         never does anything again, though its process lives
 *   POST /spin?ms=…      takes a good part of a CPU for that time
 *   GET  /workz          404, as of a gateway that does not know it; after POST /mute it never answers
 *   GET  /echo           a WebSocket that sends every message back
 *
 * Its argument, if any, says how many milliseconds it is unwell at first.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { echo } from "../container/reference/websocket-echo.mjs";

const kept = join(process.env.STATE_DIR, "kept");
const begun = Date.now();
let moodChanged = false;
let mute = false;
const isWell = () => !moodChanged && Date.now() - begun >= Number(process.argv[2] ?? 0);
process.on("SIGUSR2", () => {
  moodChanged = !moodChanged;
});

/** Keeps the process from doing anything, at no cost to the tests beside it. @param ms for ever if not given */
const block = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

const routes = {
  "GET /health": (_request, response) => {
    const ok = isWell();
    response.writeHead(ok ? 200 : 503, { "content-type": "application/json" }).end(JSON.stringify({ ok }));
  },
  "GET /mood": (_request, response) => response.end(isWell() ? "well" : "unwell"),
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
