import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Store } from "../../account/store.ts";
import type { ScriptRecord } from "../../cloudflare/kinds/scripts/record.ts";
import { putScript } from "../testing/scripts.ts";
import { scriptGroups } from "./script-groups.ts";

const stamp = { created_on: "", modified_on: "" };
const source = "export default {};";

function emptyStore(): Store {
  const directory = mkdtempSync(join(tmpdir(), "edge-test-"));
  const store = new Store(directory);
  onTestFinished(() => {
    store.close();
    rmSync(directory, { recursive: true });
  });
  return store;
}

test("groups Workers that own or reach Durable Objects apart from the others", () => {
  const store = emptyStore();
  const groups = scriptGroups(store);
  const names = (scripts: ScriptRecord[]) => scripts.map(({ name }) => name).toSorted();
  putScript(store, { name: "alone", source });
  putScript(store, { name: "owner", source, classes: ["Memory"] });
  putScript(store, { name: "tenant", namespace: "tenants", source, classes: ["Sandbox"] });
  expect(names(groups().stateful)).toEqual(["owner"]);
  expect(names(groups().stateless)).toEqual(["alone"]);

  const object = { type: "durable_object_namespace", name: "MEMORY", class_name: "Memory", script_name: "owner" };
  putScript(store, { name: "borrower", source, bindings: [object] });
  putScript(store, { name: "caller", source, bindings: [{ type: "service", name: "TO", service: "borrower" }] });
  putScript(store, { name: "producer", source, bindings: [{ type: "queue", name: "QUEUE", queue_name: "work" }] });
  expect(names(groups().stateful)).toEqual(["borrower", "caller", "owner"]);
  expect(names(groups().stateless)).toEqual(["alone", "producer"]);

  store.put("queue", { ...stamp, id: "q", queue_name: "work", settings: {} });
  const consumer = { ...stamp, id: "c", queue_id: "q", type: "worker" as const, settings: {} };
  store.put("queue_consumer", { ...consumer, script_name: "owner" });
  expect(names(groups().stateful)).toEqual(["borrower", "caller", "owner", "producer"]);
});
