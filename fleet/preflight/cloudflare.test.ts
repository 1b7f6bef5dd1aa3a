import { createServer } from "node:http";
import { closeAndCut, listen } from "@tenantry/std/listening";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { CloudflareApi, faultOf, isDenied } from "./cloudflare.ts";

interface Answered {
  status?: number;
  headers?: Record<string, string>;
  body: unknown;
}

/** By path, one for each request; the last repeats. */
let answers: Record<string, Answered[]>;
let requested: string[];
const server = createServer((request, response) => {
  const url = request.url ?? "";
  requested.push(url);
  const list = answers[url] ?? answers[url.split("?")[0] ?? ""] ?? [];
  const { status = 200, headers = {}, body } = (list.length > 1 ? list.shift() : list[0]) ?? { status: 404, body: "" };
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
});
let api: CloudflareApi;
beforeAll(async () => {
  const port = await listen(server, { port: 0 });
  api = new CloudflareApi(`http://127.0.0.1:${port}/`, "token", new AbortController().signal);
});
afterAll(() => closeAndCut(server));
beforeEach(() => {
  answers = {};
  requested = [];
});

const success = (result: unknown, result_info?: object) => ({
  body: { success: true, errors: [], messages: [], result, ...(result_info && { result_info }) },
});
const failure = (status: number, code: number, message: string) => ({
  status,
  body: { success: false, errors: [{ code, message }], messages: [], result: null },
});
const items = (count: number, from = 0) => Array.from({ length: count }, (_, n) => ({ id: String(from + n) }));

test("repeats a request that a busy API refuses, and reports a lasting refusal", async () => {
  answers["/x"] = [{ ...failure(429, 971, "Too many requests"), headers: { "retry-after": "0" } }, success([])];
  expect(await api.get("/x")).toMatchObject({ status: 200 });
  answers["/x"] = [{ ...failure(503, 10013, "Busy"), headers: { "retry-after": "0" } }];
  const busy = await api.get("/x");
  expect([busy.status, faultOf(busy)]).toEqual([503, "Busy (code 10013)"]);
  expect(requested).toHaveLength(5);
});

test("tells a missing permission from a missing product", async () => {
  answers["/denied"] = [failure(403, 10000, "Authentication error")];
  answers["/product"] = [failure(403, 10042, "Please enable R2 through the Cloudflare Dashboard.")];
  expect([isDenied(await api.get("/denied")), isDenied(await api.get("/product"))]).toEqual([true, false]);
});

test.each<[string, Record<string, Answered[]>, number]>([
  ["by page", { "/l": [success(items(50), { total_pages: 2 }), success(items(3, 50), { total_pages: 2 })] }, 2],
  ["by page without a number of pages", { "/l": [success(items(50)), success(items(3, 50))] }, 2],
  ["by cursor", { "/l": [success(items(50), { cursor: "c" }), success(items(3, 50), { cursor: "" })] }, 2],
  ["by page token", { "/l": [success(items(50), { next_page_token: "t" }), success(items(3, 50))] }, 2],
  ["as a whole, whatever page is asked for", { "/l": [success(items(53))] }, 2],
])("lists items %s", async (_, given, requests) => {
  answers = given;
  const listed = await api.list("/l");
  expect("items" in listed && listed.items).toEqual(items(53));
  expect(requested).toHaveLength(requests);
});

test("returns the refusal of a list", async () => {
  answers["/l"] = [failure(403, 10000, "Authentication error")];
  expect(await api.list("/l")).toMatchObject({ refused: { status: 403 } });
});
