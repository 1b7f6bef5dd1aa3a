import { expect, test } from "vitest";
import { gatewayTenant, slugOfGatewayTenant } from "./gateway-tenant.ts";

test.each([
  [0, "acme"],
  [1, "acme~2"],
  [9, "acme~10"],
])("a client whose slug %i clients had before is called %s", (earlier, name) => {
  expect(gatewayTenant("acme", earlier)).toBe(name);
  expect(slugOfGatewayTenant(name)).toBe("acme");
});
