import { afterEach, expect, test } from "vitest";
import { type Product, productRefusals } from "./products.ts";
import { type ApiServer, account_id, startApiServer } from "./testing/api-server.ts";

let server: ApiServer;
afterEach(() => server.close());

const lists: Readonly<Record<Product, string>> = {
  r2: "r2/buckets",
  "workers-for-platforms": "workers/dispatch/namespaces",
  containers: "containers/applications",
  "zero-trust": "access/apps",
  "analytics-engine": "analytics_engine/sql?query=SHOW%20TABLES",
};
const products = Object.keys(lists) as Product[];

test.each(products)(
  "refuses requests for %s as Cloudflare does when the account has not enabled it",
  async (product) => {
    server = await startApiServer(undefined, { withoutProducts: [product] });
    const request = (path: string, token = server.apiToken) =>
      fetch(`${server.url}/accounts/${account_id}/${path}`, { headers: { authorization: `Bearer ${token}` } });
    const refused = await request(lists[product]);
    const { status, code, message } = productRefusals[product];
    expect(refused.status).toBe(status);
    const text = await refused.text();
    if (product === "analytics-engine") expect(text).toBe(message);
    else expect(JSON.parse(text)).toMatchObject({ success: false, errors: [{ code, message }] });
    // The token is checked first.
    expect(await (await request(lists[product], "another")).json()).toMatchObject({ errors: [{ code: 10000 }] });
    for (const other of products) {
      if (other !== product) expect((await request(lists[other])).status, other).toBe(200);
    }
  },
);
