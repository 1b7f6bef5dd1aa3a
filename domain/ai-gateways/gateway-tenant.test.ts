import { expect, test } from "vitest";
import { gatewayTenant, slugOfGatewayTenant } from "./gateway-tenant.ts";

test.each([
  [0, "acme"],
  [1, "acme~2"],
  [9, "acme~10"],
])("names a client whose slug had %i earlier clients %s", (earlier, name) => {
  expect(gatewayTenant("acme", earlier)).toBe(name);
  expect(slugOfGatewayTenant(name)).toBe("acme");
});
