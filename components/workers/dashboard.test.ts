import { expect, test } from "vitest";
import { Platform } from "../platform.ts";
import { declare, only } from "../testing/declared.ts";
import { fakePlatformArgs } from "../testing/fakes.ts";

test("gives the dashboard the platform's bound of what containers reach", async () => {
  const args = fakePlatformArgs("production", { egress: { mode: "audit", entries: [] } });
  const { declared } = await declare(() => new Platform("platform", args));
  const { value } = only(declared, "WorkersScript", "dashboard").inputs.bindings as { value: object[] };
  const bound = value.find((binding) => "name" in binding && binding.name === "EGRESS_BOUND");
  expect(bound).toMatchObject({ type: "plain_text", text: expect.any(String) });
  expect(JSON.parse((bound as { text: string }).text)).toEqual({
    layers: [{ mode: "audit", entries: [] }],
    platform: { domain: "agents.example.com", refused: expect.arrayContaining(["cloudflareaccess.com"]) },
  });
});
