import { afterEach, beforeEach, describe, expect, expectTypeOf, test, vi } from "vitest";
import { type Answer, ApiError, createClient, type Entry, NoResponseError, type Schemas } from "#index.ts";
import { request } from "#request.ts";
import { answering, refusal } from "#testing/answering.ts";

const baseUrl = "https://dash.example.test";

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] }));
afterEach(() => vi.useRealTimers());

/** Resolves with the outcome of a call whose waits are skipped. */
async function settled<T>(call: Promise<T>): Promise<T> {
  call.catch(() => undefined);
  await vi.runAllTimersAsync();
  return call;
}

describe("a request", () => {
  test("has the path, query, body and headers of its operation", async () => {
    const { fetch, sent } = answering(() => Response.json({ id: "c1", version: 6 }));
    const client = createClient({ baseUrl: `${baseUrl}/`, fetch, headers: { "cf-access-token": "secret" } });
    const answer = await client.call("updateClient", { body: { id: "c1", name: "Acme" } }, { version: 5 });
    expect(answer).toEqual({ id: "c1", version: 6 });
    await client.call("getClient", { path: { client_id: "a/b" } });
    await client.call("listClients", { query: { search: "a & b", limit: 2 } });
    expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `PUT ${baseUrl}/client/update`,
      `GET ${baseUrl}/client/a%2Fb`,
      `GET ${baseUrl}/client?search=a+%26+b&limit=2`,
    ]);
    expect(sent[0]?.body).toBe('{"id":"c1","name":"Acme"}');
    expect(sent[0]?.headers).toMatchObject({
      "cf-access-token": "secret",
      "content-type": "application/json",
      "if-match": '"5"',
    });
    expect(sent[1]?.headers).not.toHaveProperty("content-type");
  });

  test("to create something has a key of its own, which a repetition has too", async () => {
    const { fetch, sent } = answering(() =>
      sent.length === 1 ? refusal(503, "tenant_unavailable") : Response.json({}),
    );
    const client = createClient({ baseUrl, fetch });
    const create = () => client.call("createClient", { body: { slug: "a", name: "A", billing_plan: "free" } });
    await settled(create());
    await settled(create());
    const keys = sent.map(({ headers }) => headers["idempotency-key"]);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect([keys[1] === keys[0], keys[2] === keys[0]]).toEqual([true, false]);
  });

  test("for the console alone is beside the tenant's API, whose slug it has", async () => {
    const { fetch, sent } = answering(() => Response.json({ tokens: [] }));
    await createClient({ baseUrl: `${baseUrl}/console/acme/api`, fetch }).call("listConsoleTokens");
    await createClient({ baseUrl, fetch }).call("listConsoleTokens", { path: { slug: "globex" } });
    expect(sent.map(({ url }) => url)).toEqual([`${baseUrl}/console/acme/tokens`, `${baseUrl}/console/globex/tokens`]);
    await expect(createClient({ baseUrl, fetch }).call("listConsoleTokens")).rejects.toThrow("requires `slug`");
  });

  test("sends a file with its type", async () => {
    const { fetch, sent } = answering(() => Response.json({}));
    const body = new Blob(["<svg/>"], { type: "image/svg+xml" });
    await createClient({ baseUrl, fetch }).call("putPartnerLogo", { path: { partner_id: "p1" }, body });
    expect([sent[0]?.body, sent[0]?.headers["content-type"]]).toEqual(["<svg/>", "image/svg+xml"]);
  });

  test("ends by its signal, also while it waits for the next attempt", async () => {
    const { fetch, sent } = answering(() => refusal(503, "tenant_unavailable", { "retry-after": "30" }));
    const stop = new AbortController();
    const call = createClient({ baseUrl, fetch }).call("getSession", {}, { signal: stop.signal });
    call.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(10_000);
    stop.abort(new Error("stopped"));
    await expect(call).rejects.toThrow("stopped");
    expect(sent).toHaveLength(1);
  });
});

describe("an answer", () => {
  test("is the JSON, nothing, or the response for another type", async () => {
    const { fetch } = answering(({ url }) => {
      if (url.endsWith("/audit/export"))
        return new Response("{}\n", { headers: { "content-type": "application/x-ndjson" } });
      return url.endsWith("/session") ? Response.json({ user: {} }) : new Response(null, { status: 204 });
    });
    const client = createClient({ baseUrl, fetch });
    expect(await client.call("getSession")).toEqual({ user: {} });
    expect(await (await client.call("exportAudit")).text()).toBe("{}\n");
    const removed = await client.call("revokeServiceToken", { path: { client_id: "c", id: "t" } });
    expect(removed).toBeUndefined();
  });

  test("of a list is read page by page, until its last one or until the caller has enough", async () => {
    const pages = new Map([
      [null, { data: [{ slug: "a" }, { slug: "b" }], pagination: { next: "2" } }],
      ["2", { data: [{ slug: "c" }], pagination: { next: "3" } }],
      ["3", { data: [], pagination: { next: null } }],
    ]);
    const { fetch, sent } = answering(({ url }) => Response.json(pages.get(new URL(url).searchParams.get("after"))));
    const client = createClient({ baseUrl, fetch });
    const slugs: string[] = [];
    for await (const { slug } of client.list("listClients", { query: { limit: 2 } })) slugs.push(slug);
    expect([slugs, sent.length]).toEqual([["a", "b", "c"], 3]);
    expect(sent.every(({ url }) => new URL(url).searchParams.get("limit") === "2")).toBe(true);
    for await (const { slug } of client.list("listClients")) if (slug === "b") break;
    expect(sent).toHaveLength(4);
  });

  test("has the types of the description", () => {
    expectTypeOf<Answer<"getClient">>().toEqualTypeOf<Schemas["Client"]>();
    expectTypeOf<Entry<"listClients">>().toEqualTypeOf<Schemas["Client"]>();
    expectTypeOf<Answer<"exportAudit">>().toEqualTypeOf<Response>();
    const client = createClient({ baseUrl });
    expectTypeOf(client.call<"getSession">)
      .parameter(1)
      .toEqualTypeOf<undefined | Record<never, never>>();
    // @ts-expect-error The path requires an ID.
    expectTypeOf(() => client.call("getClient")).toBeFunction();
    // @ts-expect-error It is no list.
    expectTypeOf(() => client.list("getSession")).toBeFunction();
  });
});

describe("a refused request", () => {
  test("has the error's code, reason, details and request", async () => {
    const details = { name: ["too long"] };
    const headers = { "cf-ray": "8f1-ZRH" };
    const { fetch } = answering(() =>
      Response.json(
        { error: { code: "invalid_request", reason: "invalid_values", message: "No.", details } },
        { status: 400, headers },
      ),
    );
    const error: unknown = await createClient({ baseUrl, fetch })
      .call("getSession")
      .catch((one: unknown) => one);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      ...{ name: "ApiError", code: "invalid_request", reason: "invalid_values", message: "No.", status: 400 },
      ...{ details, requestId: "8f1-ZRH" },
    });
  });

  test("needs a login when Access redirects it", async () => {
    const { fetch, sent } = answering(
      () => new Response(null, { status: 302, headers: { location: "https://login.test" } }),
    );
    const call = createClient({ baseUrl, fetch }).call("getSession");
    await expect(call).rejects.toMatchObject({ code: "authentication_required", status: 302 });
    expect(sent[0]?.redirect).toBe("manual");
  });

  test.each(["GET", "POST"])("is sent again after 429, also with the method %s without a key", async (method) => {
    const { fetch, sent } = answering(() =>
      sent.length < 3 ? refusal(429, "limit_exceeded", { "retry-after": "20" }) : Response.json({}),
    );
    const start = Date.now();
    const response = await settled(request({ connect: () => ({ baseUrl }), fetch }, { method, path: "/client/new" }));
    expect(response.ok).toBe(true);
    expect(Date.now() - start).toBe(40_000);
  });
  test("is sent again after 503, unless it may then have effect twice", async () => {
    const { fetch, sent } = answering(() => refusal(503, "tenant_unavailable"));
    const client = createClient({ baseUrl, fetch });
    await expect(settled(client.call("getSession"))).rejects.toMatchObject({ code: "tenant_unavailable" });
    expect(sent.splice(0)).toHaveLength(4);
    const unkeyed = request({ connect: () => ({ baseUrl }), fetch }, { method: "POST", path: "/client/new" });
    await expect(settled(unkeyed)).rejects.toMatchObject({ status: 503 });
    expect(sent).toHaveLength(1);
  });

  test("waits longer after each attempt, and not at all for more than a minute", async () => {
    const times: number[] = [];
    const { fetch } = answering(() => {
      times.push(Date.now());
      return refusal(503, "tenant_unavailable", times.length > 4 ? { "retry-after": "61" } : {});
    });
    const client = createClient({ baseUrl, fetch });
    await expect(settled(client.call("getSession"))).rejects.toThrow();
    const [first = 0, second = 0, third = 0, fourth = 0] = times;
    expect(second - first).toBeGreaterThanOrEqual(250);
    expect(second - first).toBeLessThanOrEqual(500);
    expect(third - second).toBeGreaterThanOrEqual(500);
    expect(fourth - third).toBeLessThanOrEqual(2_000);
    await expect(settled(client.call("getSession"))).rejects.toMatchObject({ retryAfter: 61 });
    expect(times).toHaveLength(5);
  });

  test.each([400, 403, 404, 409, 412, 500])("is sent once with the status %i", async (status) => {
    const { fetch, sent } = answering(() => refusal(status, "conflict"));
    await expect(settled(createClient({ baseUrl, fetch }).call("getSession"))).rejects.toMatchObject({ status });
    expect(sent).toHaveLength(1);
  });
});

describe("a request without a response", () => {
  const down = () => answering(() => Promise.reject(new TypeError("refused")));

  test("is sent again if that is safe", async () => {
    const { fetch, sent } = down();
    const client = createClient({ baseUrl, fetch });
    await expect(settled(client.call("getSession"))).rejects.toThrow(NoResponseError);
    expect(sent.splice(0)).toHaveLength(4);
    // The first attempt may have changed the version.
    const update = client.call("updateClient", { body: { id: "c1", name: "A" } }, { version: 5 });
    await expect(settled(update)).rejects.toThrow("not reachable");
    expect(sent).toHaveLength(1);
  });

  test("is sent as often as the client says", async () => {
    const { fetch, sent } = down();
    await expect(settled(createClient({ baseUrl, fetch, attempts: 1 }).call("getSession"))).rejects.toThrow();
    expect(sent).toHaveLength(1);
  });

  test("is reported as such for a page of another server", async () => {
    const { fetch } = answering(() => new Response("<html>", { status: 502 }));
    await expect(settled(createClient({ baseUrl, fetch }).call("getSession"))).rejects.toMatchObject({
      name: "NoResponseError",
    });
  });
});
