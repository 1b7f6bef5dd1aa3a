import { WEBHOOK_KINDS, webhookKinds } from "@tenantry/webhooks/kinds";
import { describe, expect, test } from "vitest";
import { Refused } from "#workers/dashboard/ui/api/faults.ts";
import { KIND_TEXTS } from "./kind-texts.ts";
import { enteredSecrets, secretFaults, secretFields, withPlaceholder } from "./secrets.ts";

describe.each(webhookKinds)("%s", (kind) => {
  const fields = secretFields(kind);

  test("labels each secret, and says where to find those that the vendor issues", () => {
    for (const { name, label, about, isRequired } of fields) {
      expect(label, name).not.toBe(name);
      if (isRequired) expect(about, name).toBeDefined();
    }
    const names = fields.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(Object.keys(KIND_TEXTS[kind].secrets ?? {})));
  });

  test("requires exactly the secrets without which the kind's schema fails", () => {
    const { secrets, generated } = WEBHOOK_KINDS[kind];
    const made = Object.fromEntries(generated.map((name) => [name, "a".repeat(43)]));
    const parsed = secrets.safeParse({ ...made, ...withPlaceholder(kind, {}) });
    const missing = parsed.success ? [] : parsed.error.issues.map(({ path }) => path[0]);
    expect(fields.filter(({ isRequired }) => isRequired).map(({ name }) => name)).toEqual(missing);
  });
});

test("a kind with options has their choices and defaults", () => {
  const options = secretFields("hmac").map(({ name, defaultValue, choices }) => [name, defaultValue, choices]);
  expect(options).toEqual([
    ["secret", undefined, undefined],
    ["header", "x-signature", undefined],
    ["algorithm", "sha256", ["sha256", "sha512", "sha1"]],
    ["encoding", "hex", ["hex", "base64"]],
    ["prefix", "", undefined],
  ]);
});

test("an entered secret replaces the random one, and empty entries are not sent", () => {
  expect(enteredSecrets({ secret: " a ", prefix: " " })).toEqual({ secret: "a" });
  expect(withPlaceholder("stripe", { signingSecret: "whsec_a" })).toEqual({ signingSecret: "whsec_a" });
  expect(withPlaceholder("github", {})).toEqual({});
  const made = [0, 1].map(() => withPlaceholder("standard-webhooks", {}).secret);
  expect(new Set(made).size).toBe(2);
});

test("each fault belongs to its secret", () => {
  const details = { secrets: ["publicKey: The public key must have 64 digits: hexadecimal.", "Unknown."] };
  const refused = new Refused({ status: 400, code: "invalid_request", message: "No.", details });
  expect(secretFaults(refused)).toEqual({ publicKey: "The public key must have 64 digits: hexadecimal." });
  expect(secretFaults(new Error("No."))).toEqual({});
});
