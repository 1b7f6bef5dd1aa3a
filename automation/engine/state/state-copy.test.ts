import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { keepState } from "./state-copy.ts";

function backend() {
  const directory = mkdtempSync(join(tmpdir(), "tenantry-kept-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const states = join(directory, ".pulumi/stacks/tenantry");
  const copies = join(directory, ".pulumi/backups/tenantry/prod-acme");
  mkdirSync(states, { recursive: true });
  return {
    url: pathToFileURL(directory).href,
    write: (text: string) => writeFileSync(join(states, "prod-acme.json"), text),
    engineKeeps: (at: string, text: string) => {
      mkdirSync(copies, { recursive: true });
      writeFileSync(join(copies, `prod-acme.${at}.json`), text);
    },
    lock: () => {
      const locks = join(directory, ".pulumi/locks/organization/tenantry/prod-acme");
      mkdirSync(locks, { recursive: true });
      writeFileSync(join(locks, "1.json"), "{}");
      return () => rmSync(join(locks, "1.json"));
    },
    kept: () =>
      readdirSync(copies)
        .toSorted()
        .map((name) => readFileSync(join(copies, name), "utf8")),
  };
}

test("backs up a state that has no backup, once", () => {
  const { url, write, engineKeeps, lock, kept } = backend();
  write("after the first run");
  engineKeeps("1700000000000000001", "after the first run");
  keepState(url, "prod-acme");
  expect(kept()).toEqual(["after the first run"]);
  write("as a killed run left it");
  const unlock = lock();
  keepState(url, "prod-acme");
  expect(kept()).toEqual(["after the first run"]);
  unlock();
  keepState(url, "prod-acme");
  keepState(url, "prod-acme");
  expect(kept()).toEqual(["after the first run", "as a killed run left it"]);
});

test("ignores missing stacks and other backends", () => {
  const { url } = backend();
  expect(() => keepState(url, "prod-nobody")).not.toThrow();
  expect(() => keepState("s3://states?region=auto", "prod-acme")).not.toThrow();
});
