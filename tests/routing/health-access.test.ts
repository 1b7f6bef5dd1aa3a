/** Which requests Access admits to health and to other paths of its applications, with either precedence of two matches. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Access, createAccess, type Precedence } from "@tenantry/edge/testing/runtime";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Environment } from "#domain/environment.ts";
import { DOMAIN } from "#local/account.ts";
import type { Edge } from "#local/edge.ts";
import { call } from "../testing/http.ts";
import { environmentSettings, openPlatform, platformSettings, stackOf } from "../testing/platform.ts";

let edge: Edge;
let close: () => Promise<void>;

const deploy = async (environment: Environment, more: Record<string, unknown> = {}) => {
  const clients = [{ slug: "acme" }];
  const isWhole = environment === "production";
  const settings = isWhole ? platformSettings(clients) : environmentSettings(environment, clients);
  const platform = { ...settings["tenantry:platform"], ...more };
  await (await stackOf(edge, { ...settings, "tenantry:platform": platform }, isWhole ? "whole" : environment)).up();
};

beforeAll(async () => {
  ({ edge, close } = await openPlatform());
  await deploy("production");
  await deploy("staging");
  await deploy("development");
});
afterAll(() => close());

/** The edge's applications in the format of a stand-in. */
async function withAccess<T>(precedence: Precedence, work: (access: Access) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), "tenantry-access-"));
  try {
    return await work(
      await createAccess({ store: edge.store, directory, issuer: edge.accessIssuer, log: () => {}, precedence }),
    );
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Whether Access requires a login, or admits everyone. */
async function decision(access: Access, host: string, path: string): Promise<"open" | "login"> {
  const url = new URL(`http://${host}.${DOMAIN}:${edge.port}${path}`);
  const { kind } = await access.authorize({ method: "GET", url, headers: new Headers() });
  return kind === "pass" ? "open" : "login";
}

/** Every host of production's wildcard, with Access's decision. */
const decisions = (access: Access, path: string) =>
  Promise.all(
    ["acme", "acme-dev", "acme-staging", "dash", "dev-dash", "staging-dash"].map((host) =>
      decision(access, host, path),
    ),
  );

describe("one application for the health of all tenants", () => {
  test("makes it public where the longer path takes precedence, and admits no one to other paths", async () => {
    await withAccess("path", async (access) => {
      expect(await decisions(access, "/api/health")).toEqual(Array(6).fill("open"));
      expect(await decisions(access, "/api/health/ws")).toEqual(Array(6).fill("open"));
    });
    // The edge decides so. Dashboards require a login themselves.
    const status = async (host: string, path: string) => (await call(edge, `${host}.${DOMAIN}`, path)).status;
    for (const host of ["acme", "acme-dev", "acme-staging"])
      expect([host, await status(host, "/api/health?passive=1")]).toEqual([host, 200]);
    for (const host of ["dash", "dev-dash", "staging-dash"]) {
      for (const path of ["/api/health", "/api/health/ws", "/api/health/client"])
        expect([host, path, await status(host, path)]).toEqual([host, path, 401]);
    }
    // Below the two health paths, dispatch Workers require a login themselves.
    for (const host of ["acme", "acme-dev", "acme-staging"])
      expect([host, await status(host, "/api/health/more")]).toEqual([host, 401]);
    expect(await status("_dispatch", "/api/health")).toBe(404);
    expect(await status("nobody", "/api/health")).toBe(404);
  });

  test("fails closed where the more specific host takes precedence, except for staging with its own", async () => {
    await withAccess("host", async (access) => {
      expect(await decisions(access, "/api/health")).toEqual(["login", "login", "open", "login", "login", "login"]);
    });
  });

  test.each(["path", "host"] as const)(
    "makes nothing else public where the %s takes precedence",
    async (precedence) => {
      await withAccess(precedence, async (access) => {
        for (const path of ["/", "/api/healthy", "/api/status", "/api/health/../status", "/_invalidate-not"])
          expect([path, ...(await decisions(access, path))]).toEqual([path, ...Array(6).fill("login")]);
      });
    },
  );
});

test.each(["path", "host"] as const)(
  "makes the doors' host of each environment public, and no host beside it, where the %s takes precedence",
  async (precedence) => {
    await withAccess(precedence, async (access) => {
      const decide = (hosts: string[]) =>
        Promise.all(hosts.map((host) => decision(access, host, `/${"a".repeat(24)}`)));
      expect(await decide(["hooks", "hooks-dev", "hooks-staging"])).toEqual(["open", "open", "open"]);
      expect(await decide(["acme", "acme-dev", "acme-staging", "other-staging"])).toEqual(Array(4).fill("login"));
    });
    for (const suffix of ["", "-dev", "-staging"]) {
      const answer = await call(edge, `hooks${suffix}.${DOMAIN}`, `/${"a".repeat(24)}`, { method: "POST", body: "{}" });
      expect([suffix, answer.status, JSON.parse(answer.body).error.reason]).toEqual([
        suffix,
        404,
        "webhook_not_accepted",
      ]);
    }
  },
);

test("with an application per tenant, makes only health public with either precedence", async () => {
  await deploy("production", { healthApplication: "tenant" });
  for (const precedence of ["path", "host"] as const) {
    await withAccess(precedence, async (access) => {
      const of = (path: string) =>
        Promise.all(["acme", "dash", "staging-dash"].map((host) => decision(access, host, path)));
      expect([precedence, ...(await of("/api/health"))]).toEqual([precedence, "open", "login", "login"]);
      expect(await of("/")).toEqual(["login", "login", "login"]);
    });
  }
});
