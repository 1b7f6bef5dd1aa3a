/** The OpenAPI document is complete, and valid by an independent validator. */
import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, expect, test } from "vitest";
import { allRoutes } from "#workers/contracts/api/all-routes.ts";
import { type ApiUnderTest, startApi } from "../../testing/start-api.ts";

let api: ApiUnderTest;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api?.stop());

interface Document {
  openapi: string;
  paths: Record<string, Record<string, { operationId: string; requestBody?: unknown; responses: object }>>;
}
const document = async (as: "root" | "north") =>
  (await (await api.fetchAs(as, "GET", "/openapi.json")).json()) as Document;

test("is valid OpenAPI 3.1, and the same for both roots", async () => {
  const made = await document("root");
  const validator = new Validator();
  expect(await validator.validate({ ...structuredClone(made) })).toEqual({ valid: true });
  expect([made.openapi, validator.version]).toEqual(["3.1.1", "3.1"]);
  expect(await document("north")).toEqual(made);
  const broken = { ...made, paths: { "/x": { get: { responses: { "200": {} } } } } };
  expect((await new Validator().validate(broken)).valid).toBe(false);
});

test("has every served route, with its request and response", async () => {
  const { paths } = await document("root");
  const declared = allRoutes.flatMap((routes) => Object.entries(routes));
  const reported = Object.values(paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
  expect(reported.toSorted()).toEqual(declared.map(([name]) => name).toSorted());
  for (const [, route] of declared) {
    const operation = paths[route.path.replaceAll(/:(\w+)/g, "{$1}")]?.[route.method];
    expect(operation?.requestBody !== undefined).toBe(route.body !== undefined || "upload" in route);
    expect(Object.keys(operation?.responses ?? {})).toContain(
      String(route.status ?? (route.answer || route.produces ? 200 : 204)),
    );
  }
});

test("shows every route on a page without scripts, with its style sheet allowed by the policy", async () => {
  const response = await api.fetchAs("north", "GET", "/reference");
  const html = await response.text();
  for (const routes of allRoutes) for (const name of Object.keys(routes)) expect(html).toContain(`id="${name}"`);
  expect(html).not.toContain("<script");
  const policy = response.headers.get("content-security-policy") ?? "";
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? "none";
  expect(policy).toContain("default-src 'none'");
  expect(html).toContain(`<style nonce="${nonce}"`);
});
