import { describe, expect, it } from "vitest";
import { clientStates, gateRefusal, instanceStates } from "./instance-state.ts";

describe("gateRefusal", () => {
  it("goes by the client's status in production", () => {
    expect(gateRefusal("production", "active", "provisioning")).toBeUndefined();
    expect(gateRefusal("production", "production", "error")).toBeUndefined();
    expect(gateRefusal("production", "draft", "running")).toBe("client_not_active");
  });

  it("goes by the instance's status elsewhere, so that a running instance behind a draft client is routable", () => {
    expect(gateRefusal("development", "draft", "running")).toBeUndefined();
    expect(gateRefusal("development", "active", "error")).toBe("instance_not_running");
  });

  it("refuses frozen and stopped instances everywhere", () => {
    for (const client of clientStates) {
      for (const environment of ["production", "staging", "development"] as const) {
        expect(gateRefusal(environment, client, "frozen")).toBe("instance_frozen");
        expect(gateRefusal(environment, client, "stopped")).toBe("instance_stopped");
      }
    }
    expect(instanceStates).toContain("frozen");
  });
});
