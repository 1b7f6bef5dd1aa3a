/**
 * The built image of the automation service, on the machine's container engine: `npm test -- tests/provisioning/automation-image.test.ts`.
 *
 * Environment: TENANTRY_AUTOMATION_IMAGE, an image that `npm run images -- --without-plugins` built; DOCKER_HOST.
 */
import { chownSync, readdirSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { findEngineSocket, RealEngineClient } from "@tenantry/edge/containers";
import { EngineClient } from "@tenantry/edge/testing/runtime";
import { freePort } from "@tenantry/std/free-port";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { standInDirectories } from "#local/providers/plugin-paths.ts";
import { deployedTenant, ProvisionedPlatform } from "./testing/provisioned-platform.ts";

const IMAGE = process.env.TENANTRY_AUTOMATION_IMAGE;
const ROOT = resolve(import.meta.dirname, "../..");
/** The user `node` of the image. */
const USER = 1000;
const NAME = `tenantry-automation-${process.pid}`;
const START = { timeout: 60_000, interval: 200 };

if (IMAGE === undefined)
  console.warn("SKIPPED: the automation service in its built image; set TENANTRY_AUTOMATION_IMAGE");

function giveTo(user: number, directory: string): void {
  chownSync(directory, user, user);
  for (const entry of readdirSync(directory, { recursive: true, encoding: "utf8" }))
    chownSync(join(directory, entry), user, user);
}

describe.skipIf(IMAGE === undefined)("the automation service in its built image", () => {
  let platform: ProvisionedPlatform;
  let client: RealEngineClient;
  let health: string;
  let secrets: string[];
  const succeeds = async (id: string | undefined) => {
    const { status, events } = await platform.ended(id);
    expect([status, ...(status === "succeeded" ? [] : events.map(({ message }) => message))]).toEqual(["succeeded"]);
  };
  const output = async (command: string) => {
    const { stdout, stderr } = await new EngineClient(client.socket).sh(NAME, command);
    return stdout.trim() + stderr.trim();
  };

  beforeAll(async () => {
    client = new RealEngineClient(await findEngineSocket());
    platform = await ProvisionedPlatform.open();
    await platform.stopService();
    const port = await freePort();
    health = `http://127.0.0.1:${port}/healthz`;
    // The stand-ins run in the container too, where the bundles are.
    const { PULUMI_PLUGIN_HOST_PORT: _, PULUMI_LANGUAGE_NODEJS_RUN_PATH: __, ...variables } = platform.variables(port);
    secrets = [
      "DATABASE_URL",
      "INVALIDATE_TOKEN",
      "LIVE_TOKEN",
      "PULUMI_CONFIG_PASSPHRASE",
      "CLOUDFLARE_API_TOKEN",
    ].map((name) => variables[name] ?? "");
    const backend = new URL(variables.PULUMI_BACKEND_URL ?? "").pathname;
    giveTo(USER, backend);
    const PATH = [...standInDirectories, "/pulumi/bin", "/usr/local/bin", "/usr/bin", "/bin"].join(delimiter);
    const body = {
      Image: IMAGE,
      Env: Object.entries({ ...variables, PATH }).map(([name, value]) => `${name}=${value}`),
      HostConfig: {
        NetworkMode: "host",
        ReadonlyRootfs: true,
        CapDrop: ["ALL"],
        SecurityOpt: ["no-new-privileges"],
        Tmpfs: { "/tmp": "rw,nosuid,nodev,size=512m,mode=1777" },
        Binds: [`${backend}:${backend}`, `${ROOT}:${ROOT}:ro`],
      },
    };
    await client.expect([201], "POST", `/containers/create?name=${NAME}`, { body });
    await client.expect([204], "POST", `/containers/${NAME}/start`);
    const isHealthy = () =>
      fetch(health).then(
        ({ status }) => status === 200,
        () => false,
      );
    await vi.waitUntil(isHealthy, START);
  });
  afterAll(async () => {
    await client?.call("DELETE", `/containers/${NAME}?force=true&v=true`);
    await platform?.close();
  });

  test("deploys a tenant, changes it and deletes it", async () => {
    const { id } = await platform.newClient("imaged");
    const instance = await platform.provision(id);
    await succeeds(instance.job?.id);
    expect(await platform.heldOf("imaged")).toEqual(deployedTenant("imaged"));
    const changed = await platform.changePlan(instance.id, "pro");
    await succeeds(changed.job?.id);
    const removed = await platform.remove(instance.id);
    await succeeds(removed.job?.id);
  });

  test("runs as a user without rights, and writes to its temporary directory only", async () => {
    const rights = "grep -hE '^(Cap...|NoNewPrivs):' /proc/1/status | tr -d '\\t\\n'; id -u";
    const none = ["Inh", "Prm", "Eff", "Bnd", "Amb"].map((set) => `Cap${set}:${"0".repeat(16)}`).join("");
    expect(await output(rights)).toBe(`${none}NoNewPrivs:1${USER}`);
    for (const path of ["/service/x", "/home/node/x", "/pulumi/bin/x", "/x"])
      expect(await output(`touch ${path}`)).toMatch(/Read-only file system|Permission denied/);
    expect(await output("find / -xdev -perm /6000 -type f 2>/dev/null")).toBe("");
  });

  test("logs no secret, and ends by itself when it is asked to", async () => {
    await client.expect([204], "POST", `/containers/${NAME}/stop?t=30`);
    const { text } = await client.expect([200], "GET", `/containers/${NAME}/json`);
    expect(JSON.parse(text).State).toMatchObject({ Status: "exited", ExitCode: 0 });
    const logs = (await client.expect([200], "GET", `/containers/${NAME}/logs?stdout=true&stderr=true`)).text;
    expect(logs).toContain('"event":"ready"');
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(8);
      expect(logs).not.toContain(secret);
    }
  });
});
