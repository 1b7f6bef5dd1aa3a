/** Checks which secrets are accepted. */
import pg from "pg";
import { expect } from "vitest";
import { ACCOUNT_ID } from "#local/account.ts";
import type { Edge } from "#local/edge.ts";

/** @returns why the database refuses a login; undefined when it accepts it */
export async function refusedLogin(connectionString: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString });
  try {
    await client.connect();
    await client.query("select 1");
    return undefined;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Changes which keys the REST layer accepts, as its operator does. */
export async function setRestKeys(edge: Edge, keys: { jwtSecret: string } | { apiKeys: string[] }): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${edge.port}/local/rest/keys`, {
    method: "PUT",
    headers: { authorization: `Bearer ${edge.apiToken}`, "content-type": "application/json" },
    body: JSON.stringify(keys),
  });
  expect(response.status).toBe(200);
}

/** Returns the status of a query of Analytics Engine with a token. */
export async function analyticsStatus(edge: Edge, token: string | undefined): Promise<number> {
  const response = await fetch(`${edge.apiUrl}/accounts/${ACCOUNT_ID}/analytics_engine/sql`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: "select count() as n from tenantry",
  });
  return response.status;
}

/** Returns the status of a model call through the pool's AI gateway with a token. */
export async function modelStatus(edge: Edge, token: string | undefined): Promise<number> {
  const response = await fetch(`${edge.aiGatewayUrl}/v1/${ACCOUNT_ID}/pool-a/compat/chat/completions`, {
    method: "POST",
    headers: {
      "cf-aig-authorization": `Bearer ${token}`,
      "content-type": "application/json",
      authorization: "Bearer sk-first",
    },
    body: JSON.stringify({ model: "openai/gpt-5-mini", messages: [{ role: "user", content: "Hello" }] }),
  });
  return response.status;
}
