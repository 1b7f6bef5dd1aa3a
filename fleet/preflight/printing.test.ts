import { expect, test } from "vitest";
import { preflightAccountErrors, preflightErrors } from "#domain/errors/commands/fleet-preflight.ts";
import { failed, passed, skipped } from "./check.ts";
import { checksAsMarkdown, checksAsText } from "./printing.ts";
import { preflightExitCode, withoutSecrets } from "./report.ts";

const checks = [
  { check: "zone", title: "Zone", ...passed("example.com") },
  {
    check: "image_pinned",
    title: "Image is pinned",
    ...failed(preflightAccountErrors.preflight_image_not_pinned, { image: "acme/gateway" }),
  },
  { check: "product_r2", title: "Product R2", ...skipped(preflightErrors.preflight_check_without_api) },
];

test("prints a table, then what to do about each check that did not pass", () => {
  expect(checksAsText({ stack: "prod", checks })).toBe(`prod: 3 checks, 1 failed, 1 skipped, 1 passed

result  check            found
pass    Zone             example.com
fail    Image is pinned  The image acme/gateway of platform.containerImage has no fixed tag or digest.
skip    Product R2       Not checked, because Cloudflare's API cannot be used.

fail Image is pinned: The image acme/gateway of platform.containerImage has no fixed tag or digest. Name a tag other than latest, or a digest. (preflight_image_not_pinned)

skip Product R2: Not checked, because Cloudflare's API cannot be used. Correct the findings of the API and the token, and run preflight again. (preflight_check_without_api)`);
});

test("prints a comment for a pull request", () => {
  const text = checksAsMarkdown({ stack: "prod", checks });
  expect(text).toContain("| fail | Image is pinned |");
  expect(text).toContain("- fail **Image is pinned**");
});

test("fails when a check fails, not when it is skipped", () => {
  expect(preflightExitCode({ checks })).toBe(1);
  expect(preflightExitCode({ checks: checks.filter(({ state }) => state !== "fail") })).toBe(0);
});

test("removes secrets from what it prints", () => {
  const result = { check: "database", title: "Database", ...passed("postgres://owner:hunter22@db and hunter22") };
  expect(withoutSecrets(result, ["hunter22"]).found).toBe("postgres://owner:[secret]@db and [secret]");
});
