import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { environments } from "../environment.ts";
import { clientStates, gateRefusal, instanceStates } from "./instance-state.ts";

describe("gateRefusal", () => {
  test("depends on the client's status in production", () => {
    expect(gateRefusal("production", "active", "running")).toBeUndefined();
    expect(gateRefusal("production", "production", "running")).toBeUndefined();
    expect(gateRefusal("production", "draft", "running")).toBe("client_not_active");
  });

  test("depends on the instance's status elsewhere, so that a draft client's running instance is routable", () => {
    expect(gateRefusal("development", "draft", "running")).toBeUndefined();
    expect(gateRefusal("staging", "draft", "running")).toBeUndefined();
  });

  test("passes an instance in provisioning or error in every environment", () => {
    for (const environment of environments) {
      for (const instance of ["provisioning", "error"] as const) {
        expect(gateRefusal(environment, "active", instance)).toBeUndefined();
      }
    }
  });

  test("matches the table of docs/reference/routing-gate.md", () => {
    const document = readFileSync(new URL("../../docs/reference/routing-gate.md", import.meta.url), "utf8");
    const rows = [...document.matchAll(/^(production|elsewhere) +(draft|active|production) +(.*)$/gm)];
    expect(rows).toHaveLength(6);
    for (const [, where, client, cells = ""] of rows) {
      const reported = cells.trim().split(/ {2,}/);
      const own = environments.filter((one) => (one === "production") === (where === "production"));
      for (const environment of own) {
        const refusals = instanceStates.map((instance) =>
          gateRefusal(environment, clientStates.find((state) => state === client) ?? "draft", instance),
        );
        expect([where, client, ...reported]).toEqual([
          where,
          client,
          ...refusals.map((refusal) => refusal ?? "passes"),
        ]);
      }
    }
  });

  test("refuses frozen and stopped instances everywhere", () => {
    for (const client of clientStates) {
      for (const environment of ["production", "staging", "development"] as const) {
        expect(gateRefusal(environment, client, "frozen")).toBe("instance_frozen");
        expect(gateRefusal(environment, client, "stopped")).toBe("instance_stopped");
      }
    }
    expect(instanceStates).toContain("frozen");
  });
});
