/** The API's own description: complete, and valid by a validator that is not ours. */
import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { errorCodes } from "#domain/errors/codes.ts";
import { allRoutes } from "#workers/contracts/api/all-routes.ts";
import { ANYONE, admitsRoots, admitsTenantUsers, type Route } from "#workers/contracts/api/route.ts";
import { errorBody } from "#workers/contracts/errors.ts";
import { type ApiUnderTest, startApi } from "../../testing/start-api.ts";
import { sections } from "./operations/sections.ts";

const OF_ROOTS = ["accessHeader", "accessCookie"];
const OF_TENANT_USERS = ["consoleSession", "consoleCookie"];
let api: ApiUnderTest;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api?.stop());

const media = z.looseObject({
  example: z.unknown().optional(),
  examples: z.record(z.string(), z.unknown()).optional(),
});
const response = z.looseObject({ description: z.string(), content: z.record(z.string(), media).optional() });
const operationShape = z.looseObject({
  operationId: z.string(),
  summary: z.string().min(5),
  description: z.string().min(40),
  tags: z.tuple([z.string()]),
  security: z.array(z.unknown()).optional(),
  servers: z.array(z.object({ url: z.string() })).optional(),
  "x-required-role": z.array(z.string()),
  requestBody: z.looseObject({ content: z.record(z.string(), media) }).optional(),
  responses: z.record(z.string(), z.union([z.object({ $ref: z.string() }), response])),
});
const documentShape = z.looseObject({
  openapi: z.string(),
  paths: z.record(z.string(), z.record(z.string(), operationShape)),
  tags: z.array(z.object({ name: z.string(), description: z.string().min(30), "x-displayName": z.string() })),
  components: z.looseObject({ responses: z.record(z.string(), response), schemas: z.record(z.string(), z.unknown()) }),
});

const document = async (as: "root" | "north") =>
  documentShape.parse(await (await api.fetchAs(as, "GET", "/openapi.json")).json());
const declared = allRoutes.flatMap((routes): [string, Route][] => Object.entries(routes));
const statusOf = ({ status, answer, produces }: Route) => String(status ?? (answer || produces ? 200 : 204));

describe("the document", () => {
  test("is valid OpenAPI 3.1, and the same for both roots", async () => {
    const made = await document("root");
    const validator = new Validator();
    expect(await validator.validate({ ...structuredClone(made) })).toEqual({ valid: true });
    expect([made.openapi, validator.version]).toEqual(["3.1.1", "3.1"]);
    expect(await document("north")).toEqual(made);
    const broken = { ...made, paths: { "/x": { get: { responses: { "200": {} } } } } };
    expect((await new Validator().validate(broken)).valid).toBe(false);
  });

  test("has every served route, with its request, response and roles", async () => {
    const { paths, tags } = await document("root");
    const reported = Object.values(paths).flatMap((path) => Object.values(path));
    expect(reported.map(({ operationId }) => operationId).toSorted()).toEqual(
      declared.map(([name]) => name).toSorted(),
    );
    expect(new Set(reported.flatMap((one) => one.tags))).toEqual(new Set(tags.map(({ name }) => name)));
    for (const [name, route] of declared) {
      const operation = paths[route.path.replaceAll(/:(\w+)/g, "{$1}")]?.[route.method];
      expect(operation?.operationId).toBe(name);
      expect(operation?.requestBody !== undefined).toBe(route.body !== undefined || "upload" in route);
      expect(Object.keys(operation?.responses ?? {})).toContain(statusOf(route));
      expect(operation?.["x-required-role"]).toEqual(route.callers === ANYONE ? [] : route.callers);
      const [ofRoots, ofTenant] = [admitsRoots(route.callers), admitsTenantUsers(route.callers)];
      const expected = [...(ofRoots ? OF_ROOTS : []), ...(ofTenant ? OF_TENANT_USERS : [])];
      expect(operation?.security).toEqual(
        ofRoots && !ofTenant ? undefined : expected.map((scheme) => ({ [scheme]: [] })),
      );
      expect(operation?.servers?.map(({ url }) => url)).toEqual(
        ofRoots && ofTenant ? ["/", "/console/{slug}/api"] : undefined,
      );
    }
  });

  test("has an example of each JSON request, response and error, and a cause of each error", async () => {
    const { paths, components } = await document("root");
    const operations = Object.values(paths).flatMap((path) => Object.values(path));
    for (const { operationId, requestBody, responses } of operations) {
      for (const [type, { example }] of Object.entries(requestBody?.content ?? {})) {
        expect([operationId, type, example !== undefined]).toEqual([operationId, type, type === "application/json"]);
      }
      for (const [status, listed] of Object.entries(responses)) {
        const found = "$ref" in listed ? components.responses[String(listed.$ref).split("/").at(-1) ?? ""] : listed;
        const { description, content = {} } = response.parse(found);
        if (Number(status) < 400) {
          const [type, { example = undefined } = {}] = Object.entries(content)[0] ?? [];
          expect([operationId, example !== undefined]).toEqual([operationId, type === "application/json"]);
          continue;
        }
        const examples = Object.entries(content["application/json"]?.examples ?? {});
        expect(examples.length).toBeGreaterThan(0);
        for (const [code, example] of examples) {
          const { error } = z.object({ value: errorBody }).parse(example).value;
          expect([error.code, errorCodes[error.code].status]).toEqual([code, Number(status)]);
          expect(description).toMatch(new RegExp(`\`${code}\`: .{20}`));
        }
      }
    }
  });
});

test.each(sections.flatMap(({ operations }) => operations).map((operation) => [operation.id, operation] as const))(
  "the example of %s is valid",
  (_id, { route, params, query, body, answer }) => {
    expect(route.params?.parse(params) ?? {}).toEqual(params);
    expect(Object.keys(route.params?.shape ?? {})).toEqual(Object.keys(params));
    route.query?.strict().parse(query);
    route.body?.parse(body);
    expect(route.answer?.parse(answer)).toEqual(answer);
  },
);

test("shows every route on a page without scripts, with its style sheet allowed by the policy", async () => {
  const response = await api.fetchAs("north", "GET", "/reference");
  const html = await response.text();
  for (const [name] of declared) expect(html).toContain(`id="${name}"`);
  expect(html).not.toContain("<script");
  const anchors = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(anchors).size).toBe(anchors.length);
  const links = [...html.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id);
  expect(links.filter((link) => !anchors.includes(link))).toEqual([]);
  const policy = response.headers.get("content-security-policy") ?? "";
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? "none";
  expect(policy).toContain("default-src 'none'");
  expect(html).toContain(`<style nonce="${nonce}"`);
});
