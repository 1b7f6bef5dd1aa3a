import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { closeAndCut, listen } from "@tenantry/std/listening";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TenantOrders } from "./tenant-orders.ts";

const TS = "2030-01-01T08:00:00.000Z";
const answers: Record<string, { status: number; body: object }> = {
  soon: { status: 200, body: { asleep: true, wakesAt: TS } },
  busy: { status: 409, body: { error: { code: "conflict", reason: "sleep_interrupts_work", message: "Busy." } } },
  earlier: {
    status: 404,
    body: { error: { code: "not_found", reason: "administration_path_not_found", message: "No such path." } },
  },
};
const received: unknown[] = [];
const server = createServer(async (request, response) => {
  received.push([request.method, request.url, await json(request)]);
  const { status, body } = answers[request.url?.split("/").at(-1) ?? ""] ?? { status: 500, body: {} };
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
});
let orders: TenantOrders;
beforeAll(async () => {
  const port = await listen(server, { port: 0 });
  orders = new TenantOrders({ DISPATCH_URL: `http://127.0.0.1:${port}`, INVALIDATE_TOKEN: "token" });
});
afterAll(() => closeAndCut(server));

test("passes an order to sleep with its time", async () => {
  expect(await orders.sleep("soon", { wakeAfterSeconds: 60 })).toBe(TS);
  expect(received).toEqual([["POST", "/_sleep/soon", { wakeAfterSeconds: 60 }]]);
});

test.each([
  ["busy", "conflict", "sleep_interrupts_work"],
  ["earlier", "conflict", "tenant_without_order"],
  ["unknown", "gateway_unavailable", "tenant_not_responding"],
])("refuses as the tenant's Worker does: %s", async (slug, code, reason) => {
  await expect(orders.sleep(slug, {})).rejects.toMatchObject({ code, reason });
});
