import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Run } from "@tenantry/plugin-host";
import { listen } from "@tenantry/std/listening";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type BackupOrder, backUpState } from "./state-backup.ts";

const TOKEN = "a-token-that-stays-one";
const MINUTE = 60_000;

type Answer = { status: number; body?: unknown } | "hang" | "cut";

let server: Server;
let order: BackupOrder;
let seen: IncomingMessage[];
let answers: Answer[];
let cancellation: AbortController;
let said: string[];
let run: Run;

beforeEach(async () => {
  seen = [];
  answers = [];
  said = [];
  server = createServer((request, response) => {
    seen.push(request);
    give(answers.length > 1 ? answers.shift() : answers[0], request, response);
  });
  const port = await listen(server, { port: 0 });
  order = { url: `http://_dispatch.tenantry.localhost:${port}/_backup/acme`, token: TOKEN, beforeDelete: false };
  cancellation = new AbortController();
  run = {
    cancelled: cancellation.signal,
    status: async (message) => void said.push(message),
    warn: async (message) => void said.push(`warning: ${message}`),
    debug: async () => {},
  };
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});

function give(answer: Answer | undefined, request: IncomingMessage, response: ServerResponse): void {
  if (answer === "hang") return;
  if (answer === undefined || answer === "cut") return void request.socket.destroy();
  response.writeHead(answer.status, { "content-type": "application/json" });
  response.end(answer.body === undefined ? undefined : JSON.stringify(answer.body));
}

const error = (code: string, message: string) => ({ error: { code, message } });

const backUp = (timeoutMs = MINUTE) => backUpState(order, timeoutMs, run);

describe("a backup is ordered", () => {
  test("by a POST with the token, also at names of this machine", async () => {
    answers = [{ status: 200, body: { id: "one" } }];
    await backUp();
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({
      method: "POST",
      url: "/_backup/acme",
      headers: { authorization: `Bearer ${TOKEN}`, host: new URL(order.url).host },
    });
    expect(said).toEqual([]);
  });

  test.each([
    ["there is nothing to back up", { status: 204 }],
    ["there is no such tenant", { status: 404, body: error("tenant_not_found", "There is no such tenant.") }],
  ])("without a retry when %s", async (_, answer) => {
    answers = [answer];
    await backUp();
    expect(seen).toHaveLength(1);
  });

  test.each([
    [
      "a refusal with its reason",
      { status: 409, body: error("conflict", "Remove the backups.") },
      "Remove the backups.",
    ],
    ["a wrong token", { status: 401, body: error("authentication_required", "Send the token.") }, "Send the token."],
    ["a path unknown to it", { status: 404, body: error("not_found", "Nothing is here.") }, "Nothing is here."],
    ["a page of somebody else", { status: 404, body: "Not here" }, "The dispatch Worker responded with HTTP 404."],
    ["a login page", { status: 302 }, "The dispatch Worker responded with HTTP 302."],
  ])("once, and fails by %s", async (_, answer, reason) => {
    answers = [answer];
    await expect(backUp()).rejects.toThrow(reason);
    expect(seen).toHaveLength(1);
  });

  test("again after a temporary failure, and reports a slow backup", async () => {
    answers = [{ status: 503, body: error("tenant_unavailable", "Not now.") }, "cut", { status: 200 }];
    await backUp();
    expect(seen).toHaveLength(3);
    expect(said).toEqual(["Backing up the tenant's state…"]);
  });

  test("until it stops retrying and reports the last error without the token", async () => {
    answers = [{ status: 502 }, { status: 503, body: error("tenant_unavailable", "Not now.") }, "cut"];
    const reason = await backUp().catch(String);
    expect(reason).toMatch(
      /The dispatch Worker cannot be reached at _dispatch.tenantry.localhost:\d+ \(ECONNRESET\)\./,
    );
    expect(reason).not.toContain(TOKEN);
  });

  test("within a timeout", async () => {
    answers = ["hang"];
    await expect(backUp(600)).rejects.toThrow("The dispatch Worker did not respond within 0.01 minutes.");
  });

  test("until the run is cancelled", async () => {
    answers = ["hang"];
    const waiting = backUp().catch(String);
    await expect.poll(() => seen.length).toBe(1);
    cancellation.abort();
    expect(await waiting).toContain("The run was cancelled.");
  });
});
