/** Data of a tenant: the notes of the reference gateway. */
import { expect } from "vitest";
import * as z from "zod";
import type { Edge } from "#local/edge.ts";
import { healthSnapshot } from "#workers/contracts/tenant/health-snapshot.ts";
import { call, callUntil, loggedIn } from "./http.ts";

const listed = z.object({ notes: z.array(z.object({ text: z.string() })) });

const hostOf = (slug: string) => `${slug}.tenantry.localhost`;
const asRoot = (edge: Edge, slug: string) => loggedIn(edge, "root@tenantry.example", hostOf(slug));

/** Starts the tenant, and waits until its gateway is ready. */
export async function startTenant(edge: Edge, slug: string): Promise<void> {
  await callUntil(
    () => call(edge, hostOf(slug), "/api/health"),
    ({ status, body }) => status === 200 && healthSnapshot.parse(JSON.parse(body)).readiness.ok,
  );
}

/** Writes a note to a running tenant. */
export async function writeNote(edge: Edge, slug: string, text: string): Promise<void> {
  const headers = { ...(await asRoot(edge, slug)), "content-type": "application/json" };
  const body = JSON.stringify({ text });
  expect(await call(edge, hostOf(slug), "/api/notes", { method: "POST", headers, body })).toMatchObject({
    status: 201,
  });
}

/** Starts the tenant, and returns its notes. */
export async function readNotes(edge: Edge, slug: string): Promise<string[]> {
  await startTenant(edge, slug);
  const { body } = await call(edge, hostOf(slug), "/api/notes", { headers: await asRoot(edge, slug) });
  return listed.parse(JSON.parse(body)).notes.map(({ text }) => text);
}
