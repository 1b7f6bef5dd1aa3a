import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { WEBHOOK_KINDS, webhookKinds } from "./kinds.ts";
import { SAMPLES } from "./testing/samples.ts";

const VALID: Readonly<Record<string, Record<string, string>>> = {
  ...Object.fromEntries(Object.entries(SAMPLES).map(([kind, { secrets }]) => [kind, { ...secrets }])),
  googlechat: { audience: "1234567890", serviceAccount: "service-1@gcp-sa-gsuiteaddons.iam.gserviceaccount.com" },
  msteams: { appId: "8a9e2c1b-0000-4000-8000-0123456789ab" },
};

describe.each(webhookKinds)("%s", (kind) => {
  const { secrets: schema, generated, ...terms } = WEBHOOK_KINDS[kind];
  const valid = VALID[kind] ?? {};

  test("has strict secrets that are not empty", () => {
    expect(schema.parse(valid)).toEqual(valid);
    expect(schema.safeParse({ ...valid, unknown: "a" }).success).toBe(false);
    // An empty prefix is the default.
    for (const name of Object.keys(valid))
      for (const wrong of ["", 7, null])
        if (name !== "prefix" || wrong !== "")
          expect(schema.safeParse({ ...valid, [name]: wrong }).success).toBe(false);
  });

  test("has all of its secrets in these tests", () => {
    expect(Object.keys(valid).sort()).toEqual(Object.keys(schema.shape).sort());
  });

  test("accepts 32 random bytes in base64url for generated secrets", () => {
    const value = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
    const made = Object.fromEntries(generated.map((name) => [name, value]));
    expect(schema.parse({ ...valid, ...made })).toMatchObject(made);
  });

  test("has terms within what a receiver can do", () => {
    expect(terms.deadlineMs).toBeGreaterThanOrEqual(2_000);
    expect(terms.acknowledgement.status).toBe(200);
    expect(terms.forwarded).toEqual(terms.forwarded.map((name) => name.toLowerCase()));
    expect(terms.forwarded).toEqual(expect.arrayContaining(["content-type", "content-encoding"]));
    for (const url of [terms.documentation, terms.deadlineSource ?? "https:"]) expect(url).toMatch(/^https:/);
    const isStored = /signature|secret-token|x-gitlab-token|cookie/;
    expect(terms.forwarded.filter((name) => isStored.test(name))).toEqual([]);
  });
});

test("a secret of Standard Webhooks has 24 to 64 bytes", () => {
  const { secrets } = WEBHOOK_KINDS["standard-webhooks"];
  const isValid = (length: number, prefix = "whsec_") =>
    secrets.safeParse({ secret: prefix + Buffer.alloc(length, 255).toString("base64") }).success;
  expect([23, 24, 32, 64, 65].map((length) => isValid(length))).toEqual([false, true, true, true, false]);
  expect(isValid(32, "")).toBe(true);
  expect(isValid(32, "whpk_")).toBe(false);
  expect(secrets.safeParse({ secret: `whsec_${"a".repeat(33)}` }).success).toBe(false);
});

test("hmac has defaults", () => {
  expect(WEBHOOK_KINDS.hmac.secrets.parse({ secret: "s", header: "X-Sum" })).toEqual({
    secret: "s",
    header: "x-sum",
    algorithm: "sha256",
    encoding: "hex",
    prefix: "",
  });
});

const README = join(import.meta.dirname, "../README.md");
const TABLE = /(?<=<!-- kinds -->\n\n)[\s\S]*?(?=\n\n<!-- \/kinds -->)/;

function table(): string {
  const rows = webhookKinds.map((kind) => {
    const { label, documentation, verification, secrets, generated, deadlineMs, deadlineSource } = WEBHOOK_KINDS[kind];
    const names = Object.entries(secrets.shape).map(([name, schema]) => {
      const isOptional = schema.safeParse(undefined).success;
      return `\`${name}\`${generated.includes(name) ? "\u00a0*" : ""}${isOptional ? "\u00a0?" : ""}`;
    });
    const limit = `${deadlineMs / 1_000} s`;
    const within = deadlineSource === undefined ? `${limit} (not documented)` : `[${limit}](${deadlineSource})`;
    return `| \`${kind}\` | [${label}](${documentation}) | ${verification} | ${names.join(", ")} | ${within} |`;
  });
  return [
    "| kind | sender | verified | secrets | acknowledged within |",
    "| --- | --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}

test("the README has the kinds", async () => {
  const readme = readFileSync(README, "utf8");
  expect(readme).toMatch(TABLE);
  await expect(readme.replace(TABLE, table)).toMatchFileSnapshot(README);
});
