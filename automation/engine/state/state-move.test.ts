import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { ScratchBackend } from "./scratch-backend.ts";
import { forgetState, moveState } from "./state-move.ts";

const URN = "urn:pulumi:prod-from::tenantry::tenantry:components:Client::acme";

/** Two stacks in a directory: `prod-from` has a client, `prod-to` is empty. */
function backend() {
  const scratch = new ScratchBackend({ PULUMI_CONFIG_PASSPHRASE: "passphrase" });
  onTestFinished(() => scratch.remove());
  const directory = fileURLToPath(scratch.variables.PULUMI_BACKEND_URL ?? "");
  const stacks = join(directory, ".pulumi/stacks/tenantry");
  const hold = (stack: string, more: { urn: string; type: string; custom: boolean }[]) => {
    const urn = `urn:pulumi:${stack}::tenantry::pulumi:pulumi:Stack::tenantry-${stack}`;
    const resources = [{ urn, type: "pulumi:pulumi:Stack", custom: false }, ...more];
    scratch.hold(stack, { version: 3, deployment: { manifest: {}, resources } });
  };
  hold("prod-from", [{ urn: URN, type: "tenantry:components:Client", custom: false }]);
  hold("prod-to", []);
  const locksOf = (stack: string) => join(directory, ".pulumi/locks/organization/tenantry", stack);
  const messages: string[] = [];
  return {
    holds: (stack: string) => readFileSync(join(stacks, `${stack}.json`), "utf8").includes("Client::acme"),
    lock: (stack: string, holder: { hostname: string; pid: number }) => {
      mkdirSync(locksOf(stack), { recursive: true });
      const lock = { username: "root", timestamp: new Date().toISOString(), ...holder };
      writeFileSync(join(locksOf(stack), "1.json"), JSON.stringify(lock));
    },
    locks: (stack: string) => readdirSync(locksOf(stack)),
    messages,
    options: {
      variables: scratch.variables,
      onRecovered: (what: string) => messages.push(what),
    },
  };
}

/** A process that has ended, like a killed engine. */
const ended = () => ({ hostname: hostname(), pid: spawnSync("true").pid });
const move = { from: "prod-from", to: "prod-to", urn: URN, encryption: {} };

test("moves and deletes a state after a killed run left its lock", async () => {
  const { holds, lock, locks, options, messages } = backend();
  lock("prod-to", ended());
  await moveState(move, options);
  expect([holds("prod-from"), holds("prod-to"), locks("prod-to")]).toEqual([false, true, []]);
  expect(messages).toEqual(["Removed the lock of a killed run from the stack prod-to."]);

  lock("prod-to", ended());
  await forgetState("prod-to", URN.replace("prod-from", "prod-to"), options);
  expect([holds("prod-to"), locks("prod-to"), messages.length]).toEqual([false, [], 2]);
});

test("does not move a state while a run on another machine may have the stack", async () => {
  const { holds, lock, locks, options, messages } = backend();
  lock("prod-to", { hostname: "other", pid: 41 });
  await expect(moveState(move, options)).rejects.toThrow("created by root@other (pid 41)");
  expect([holds("prod-from"), holds("prod-to"), locks("prod-to"), messages]).toEqual([true, false, ["1.json"], []]);
});
