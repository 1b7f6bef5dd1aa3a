import { expect, test } from "vitest";
import { startRestServer } from "./testing/rest-server.ts";
import { DOMAIN, PLATFORM_AUDIENCE, startDispatch, tenant } from "./testing/start-dispatch.ts";

/** Long, because the machine may be busy. */
const SOON = { timeout: 40_000 };

test("development routes by the instance's status, under -dev hosts", async () => {
  const dispatch = await startDispatch({ ENVIRONMENT: "development" });
  try {
    const states = { environment: "development", client_status: "draft", worker_name: "tenant-acme-dev" } as const;
    dispatch.rest.tenants.set("acme", tenant("acme", states));
    dispatch.rest.tenants.set("iced", tenant("iced", { environment: "development", instance_status: "frozen" }));
    dispatch.rest.roles.set("acme ada@acme.test", "ADMIN");
    const jwt = await dispatch.access.token({ email: "ada@acme.test", aud: ["audience-of-acme"] });
    const headers = { "cf-access-jwt-assertion": jwt };
    const response = await dispatch.fetch(`acme-dev.${DOMAIN}`, "/", { headers });
    expect(await response.json()).toMatchObject({ worker: "tenant-acme-dev" });
    expect((await dispatch.fetch(`acme.${DOMAIN}`, "/", { headers })).status).toBe(404);
    expect((await dispatch.fetch(`iced-dev.${DOMAIN}`, "/api/health")).status).toBe(403);
  } finally {
    await dispatch.stop();
  }
});

test("staging requires the platform's audience, and uses its own database when both its secrets are set", async () => {
  const staging = await startRestServer("staging-key");
  const dispatch = await startDispatch({
    ENVIRONMENT: "staging",
    STAGING_SUPABASE_URL: staging.url,
    STAGING_SUPABASE_SERVICE_ROLE_KEY: staging.key,
  });
  try {
    staging.tenants.set("acme", tenant("acme", { environment: "staging" }));
    for (const email of ["root@platform.test", "ada@acme.test"]) staging.roles.set(`acme ${email}`, "ROOT");
    const status = async (email: string, aud: string) => {
      const headers = { "cf-access-jwt-assertion": await dispatch.access.token({ email, aud: [aud] }) };
      return (await dispatch.fetch(`acme-staging.${DOMAIN}`, "/", { headers })).status;
    };
    expect(await status("root@platform.test", PLATFORM_AUDIENCE)).toBe(200);
    expect(await status("ada@acme.test", "audience-of-acme")).toBe(403);
    expect(dispatch.rest.resolved).toEqual([]);
  } finally {
    await Promise.all([dispatch.stop(), staging.stop()]);
  }
});

test("one staging secret alone is ignored, so that no key reaches the other database", async () => {
  const dispatch = await startDispatch({ ENVIRONMENT: "staging", STAGING_SUPABASE_URL: "http://127.0.0.1:9/rest/v1" });
  try {
    dispatch.rest.tenants.set("acme", tenant("acme", { environment: "staging" }));
    expect((await dispatch.fetch(`acme-staging.${DOMAIN}`, "/api/health")).status).toBe(200);
    expect(dispatch.rest.resolved).toHaveLength(1);
  } finally {
    await dispatch.stop();
  }
});

test.each([
  ["production", {}],
  ["staging", { STAGING_SUPABASE_URL: "", STAGING_SUPABASE_SERVICE_ROLE_KEY: "staging-key" }],
] as const)(
  "sends the API key that the REST layer of %s requires besides the service-role key",
  async (environment, more) => {
    const wanting = await startRestServer(
      environment === "staging" ? "staging-key" : "service-role-key",
      "project-key",
    );
    const isStaging = environment === "staging";
    const dispatch = await startDispatch({
      ENVIRONMENT: environment,
      ...more,
      [isStaging ? "STAGING_SUPABASE_URL" : "SUPABASE_URL"]: wanting.url,
      [isStaging ? "STAGING_SUPABASE_API_KEY" : "SUPABASE_API_KEY"]: "project-key",
      ...(isStaging ? { SUPABASE_API_KEY: "key of another project" } : {}),
    });
    try {
      wanting.tenants.set("acme", tenant("acme", { environment }));
      const host = isStaging ? `acme-staging.${DOMAIN}` : `acme.${DOMAIN}`;
      expect((await dispatch.fetch(host, "/api/health")).status).toBe(200);
    } finally {
      await Promise.all([dispatch.stop(), wanting.stop()]);
    }
  },
);

test("serves and ticks no tenants of another environment's key", async () => {
  const dispatch = await startDispatch();
  try {
    dispatch.rest.tenants.set("acme", tenant("acme", { environment: "development" }));
    expect((await dispatch.fetch(`acme.${DOMAIN}`, "/api/health")).status).toBe(503);
    await expect
      .poll(() => dispatch.logs.join(), SOON)
      .toContain("a tenant of development; check the service-role key");
    await dispatch.scheduled(new Date()).catch(() => undefined);
    expect(dispatch.ticks).toEqual([]);
  } finally {
    await dispatch.stop();
  }
});

test("names a malformed binding in the log and not in the response", async () => {
  const dispatch = await startDispatch({ ACCESS_ISSUER: "not a URL with secret" });
  try {
    const response = await dispatch.fetch(`acme.${DOMAIN}`, "/");
    expect(response.status).toBe(500);
    expect(await response.text()).not.toMatch(/ACCESS_ISSUER|secret/);
    await expect.poll(() => dispatch.logs.join(), SOON).toContain("ACCESS_ISSUER");
    expect(dispatch.logs.join()).not.toContain("secret");
  } finally {
    await dispatch.stop();
  }
});
