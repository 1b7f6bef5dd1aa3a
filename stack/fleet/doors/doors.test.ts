import { expect, test } from "vitest";
import { currentStack } from "../../current-stack.ts";
import { checkSettings } from "../../settings/settings.ts";
import type { FleetSnapshot } from "../snapshot.ts";
import { declaresDoors, plannedDoors, refuseDoors } from "./doors.ts";

const none = { databaseUrl: undefined, restUrl: undefined, serviceRoleKey: undefined, accessIssuer: undefined };
const clientsOf = (plan: string, ...names: (string | object)[]) => {
  const doors = names.map((name) => ({ kind: "bearer", ...(typeof name === "string" ? { name } : name) }));
  const client = { slug: "acme", name: "Acme", plan, instances: [{ doors }] };
  return checkSettings({ platformStack: "prod", clients: [client] }, none).clients;
};
const OTHER = "urn:pulumi:other::tenantry::tenantry:index:Door::acme.one";
const known = (...doors: [name: string, owner?: string | undefined][]): Pick<FleetSnapshot, "doors" | "read"> => ({
  read: true,
  doors: { acme: doors.map(([name, owner]) => ({ name, owner })) },
});
const refuse = (clients: ReturnType<typeof clientsOf>, before: ReturnType<typeof known>, takeOver: string[] = []) =>
  refuseDoors(clients, before, new Set(takeOver));

test("refuses new doors beyond the plan's limit, with those of the dashboard", () => {
  const beyond =
    /acme: the client would have 3 doors, and its plan Free allows 2\. Remove doors here or in the dashboard/;
  expect(() => refuse(clientsOf("free", "one", "two", "three"), known())).toThrow(beyond);
  expect(() => refuse(clientsOf("free", "one", "two"), known(["of-dashboard"]))).toThrow(beyond);
  refuse(clientsOf("free", "one", "two"), known());
  // The run deletes it.
  refuse(clientsOf("free", "two", "three"), known(["one", currentStack()], ["two", currentStack()]));
  // A smaller plan deletes no doors.
  const all = known(["one", currentStack()], ["two", currentStack()], ["three", currentStack()]);
  refuse(clientsOf("free", "one", "two", { name: "renamed", formerName: "three" }), all);
  // A preview without the database knows none.
  refuse(clientsOf("free", "one", "two", "three"), { doors: {}, read: false });
});

test("refuses names of the dashboard's and other stacks' doors, unless the run takes them over", () => {
  const taken = /acme: the dashboard or another stack has a door one; choose another name, or delete that door/;
  for (const owner of [undefined, OTHER]) {
    expect(() => refuse(clientsOf("pro", "one"), known(["one", owner]))).toThrow(taken);
  }
  refuse(clientsOf("pro", "one"), known(["one", OTHER]), ["acme"]);
  refuse(clientsOf("pro", "one"), known(["one", currentStack()]));
});

test("adds secrets, and finds doors of deployed tenants whose rows are missing", () => {
  const [client] = clientsOf("pro", "one", { name: "two", formerName: "before" }, "three");
  if (client === undefined) throw new Error("no client");
  const deployed = { plan: "pro", partner: undefined, owner: OTHER, isDashboards: false, createdAt: new Date(0) };
  const clients = { acme: { id: "row", hasInstance: true, ...deployed } };
  const before = known(["one", currentStack()], ["before", currentStack()]);
  const planned = plannedDoors(client, { ...before, clients }, { acme: { one: { token: "t" } } });
  expect(planned.map(({ name, secrets, missing }) => [name, secrets, missing])).toEqual([
    ["one", { token: "t" }, false],
    ["two", {}, false],
    ["three", {}, true],
  ]);
  for (const snapshot of [
    { ...known(), clients: {} },
    { ...known(), clients, read: false },
  ]) {
    expect(plannedDoors(client, snapshot, undefined).some(({ missing }) => missing)).toBe(false);
  }
  expect([declaresDoors([client]), declaresDoors(clientsOf("pro"))]).toEqual([true, false]);
});
