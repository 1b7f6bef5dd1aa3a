/** The console of one tenant with two users, for tests. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { startConsole } from "./start-console.ts";

export const ADMIN = "ada@acme.test";
export const USER = "bob@acme.test";

/** The console of the tenant acme, of the partner north with a style, with an ADMIN and a BASE_USER. */
export async function startAcmeConsole() {
  const console = await startConsole();
  const { client, instance } = await console.made("acme");
  await console.addUser(client, instance, ADMIN, "ADMIN");
  await console.addUser(client, instance, USER, "BASE_USER");
  await console.database.db
    .updateTable("tenantry.partners")
    .set({
      name: "Northwind",
      style: JSON.stringify({ colours: { accent: "#7a1fa2" }, support_address: "help@north.test" }),
    })
    .where("id", "=", console.partners.north)
    .execute();
  return { console, client, instance };
}

/** Path of the tenant's Worker for the devices that are paired in OpenClaw. */
export const DEVICES = "/api/admin/gateway/devices";
/** A device whose name is its ID. */
export const device = (deviceId: string) => ({
  ...{ deviceId, name: deviceId, platform: "darwin", roles: ["node"], scopes: [] },
  at: Date.parse("2026-11-23T09:00:00.000Z"),
});

/** Waits until nothing is loaded any more. */
export const settled = (page: Page) => expect.poll(() => page.getByText("Loading…").count()).toBe(0);
