import { expect, test } from "vitest";
import { declaresSame, entryOf, stackFileText, withClient, withoutClient } from "./tenant-file.ts";

const acme = { slug: "acme", name: "Acme", plan: "pro" };

test("writes a file without default values", () => {
  const made = { encryption: { encryptionsalt: "v1:x" }, platformStack: "organization/tenantry/prod", clients: [acme] };
  expect(stackFileText({ ...made, environment: "production" })).toBe(`encryptionsalt: v1:x
config:
  tenantry:platformStack: organization/tenantry/prod
  tenantry:clients:
    - slug: acme
      name: Acme
      plan: pro
`);
  expect(stackFileText({ ...made, environment: "staging" })).toContain("tenantry:environment: staging");
});

test("compares files by what they declare", () => {
  const text = stackFileText({ encryption: {}, environment: "production", platformStack: "prod", clients: [acme] });
  const same = (other: string) => declaresSame("prod-acme", text, other);
  expect(same(`# by hand\n${text.replace("plan: pro", "plan: pro # since May\n      status: active")}`)).toBe(true);
  expect(same(`encryptionsalt: v1:x\n${text}`)).toBe(true);
  expect(same(text.replace("pro\n", "free\n"))).toBe(false);
  expect(same(text.replace("config:", "config:\n  cloudflare:apiToken: x"))).toBe(false);
});

const MANY = `# Ours.
config:
  tenantry:platformStack: prod # the big one

  tenantry:clients:
    # Signed in May.
    - slug: acme # 2 seats
      name: "Acme"
      plan: pro
    - { slug: lab, name: Lab, plan: free } # on trial

    # The last.
    - slug: hooli
      name: Hooli
      plan: basic
`;

test("removes a client and keeps the rest unchanged", () => {
  expect(withoutClient(MANY, "lab")).toBe(MANY.replace("    - { slug: lab, name: Lab, plan: free } # on trial\n", ""));
  expect(withoutClient(MANY, "nobody")).toBe(MANY);
  const none = withoutClient(withoutClient(withoutClient(MANY, "lab"), "hooli"), "acme");
  expect(none).toContain("tenantry:platformStack: prod # the big one");
  expect(none).toMatch(/tenantry:clients:\s+\[\]/);
  expect(none).not.toContain("May");
});

test("adds a client with its comments, also to an empty list", () => {
  const entry = entryOf(MANY, "acme");
  if (entry === undefined) throw new Error("acme is not found");
  const target =
    "config:\n  tenantry:platformStack: prod\n  tenantry:clients:\n  - slug: other\n    name: O\n    plan: free\n";
  expect(withClient(target, entry)).toBe(
    `${target}  # Signed in May.\n  - slug: acme # 2 seats\n    name: "Acme"\n    plan: pro\n`,
  );
  const empty = withClient("config:\n  tenantry:clients: []\n", entry);
  expect(empty).toMatch(/tenantry:clients:\n {4}# Signed in May.\n {4}- slug: acme # 2 seats\n/);
  expect(withClient("config: {}\n", entry)).toContain("slug: acme");
  expect(entryOf(MANY, "nobody")).toBeUndefined();
});

test("resolves aliases of the source file", () => {
  const text = "x: &plan pro\nconfig:\n  tenantry:clients:\n    - { slug: acme, name: A, plan: *plan }\n";
  const entry = entryOf(text, "acme");
  if (entry === undefined) throw new Error("acme is not found");
  expect(withClient("config:\n  tenantry:clients: []\n", entry)).toContain("plan: pro");
});
