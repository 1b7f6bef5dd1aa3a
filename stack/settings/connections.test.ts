import * as pulumi from "@pulumi/pulumi";
import { expect, onTestFinished, test } from "vitest";
import { readConnections } from "./connections.ts";

test("reads the AI gateways' address from the configuration, else from the variable, else has none", () => {
  onTestFinished(() => pulumi.runtime.setAllConfig({}));
  const found = (variables: NodeJS.ProcessEnv) =>
    readConnections(new pulumi.Config("tenantry"), variables).aiGatewayUrl;
  const variables = { TENANTRY_AI_GATEWAY_URL: "http://127.0.0.1:8787" };
  expect([found({}), found(variables)]).toEqual([undefined, "http://127.0.0.1:8787"]);
  pulumi.runtime.setAllConfig({ "tenantry:aiGatewayUrl": "https://ai.example.com" });
  expect(found(variables)).toBe("https://ai.example.com");
});
