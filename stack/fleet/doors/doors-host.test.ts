import * as pulumi from "@pulumi/pulumi";
import { expect, test, vi } from "vitest";
import type { FleetSnapshot } from "../snapshot.ts";
import { checkDoorsHost } from "./doors-host.ts";

const known: FleetSnapshot["clients"] = {
  hooks: {
    ...{ id: "id", plan: "basic", partner: undefined, owner: undefined, isDashboards: false, hasInstance: true },
    createdAt: new Date(0),
  },
};

test("refuses a new client with the doors' host, and warns of an existing one", () => {
  const warn = vi.spyOn(pulumi.log, "warn").mockResolvedValue(undefined);
  const clients = [{ slug: "acme" }, { slug: "hooks" }];
  expect(() => checkDoorsHost(clients, { clients: {}, read: true })).toThrow(/hooks: the slug is reserved/);
  // A preview without the database cannot know whether it exists.
  checkDoorsHost(clients, { clients: {}, read: false });
  checkDoorsHost([{ slug: "acme" }], { clients: {}, read: true });
  expect(warn).not.toHaveBeenCalled();
  // The platform's stack warns also if another one declares the client.
  for (const declared of [clients, []]) checkDoorsHost(declared, { clients: known, read: true });
  expect(warn).toHaveBeenCalledTimes(2);
  expect(warn).toHaveBeenCalledWith(expect.stringMatching(/^hooks: .*Access.* create a client with another slug/));
});
