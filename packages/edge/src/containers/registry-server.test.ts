import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createImagesFile, ImageRegistry } from "./images.ts";
import { createRegistryServer } from "./registry-server.ts";

test("serves manifests of pushed images and of the file, for credentials that have not expired", async () => {
  const directory = mkdtempSync(join(tmpdir(), "registry-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, "images.json");
  const digest = `sha256:${"a".repeat(64)}`;
  writeFileSync(file, JSON.stringify({ [`registry.cloudflare.com/account/box@${digest}`]: { COLOR: "blue" } }));
  let now = 0;
  const registry = new ImageRegistry({ file, pushed: ["registry.cloudflare.com/account/gateway:1"] });
  const { app, credentials } = createRegistryServer({ registry, secret: "s", accountId: "account", now: () => now });
  const { username, password } = credentials(5);
  const ask = async (path: string, user = username, pass = password) => {
    const headers = { authorization: `Basic ${Buffer.from(`${user}:${pass}`).toString("base64")}` };
    return app.request(path, { method: "HEAD", headers });
  };
  expect((await ask("/account/gateway/manifests/1")).status).toBe(200);
  expect((await ask(`/account/box/manifests/${digest}`)).headers.get("docker-content-digest")).toBe(digest);
  for (const missing of ["/account/gateway/manifests/2", "/account/box/manifests/latest", "/gateway/manifests/1"])
    expect((await ask(missing)).status).toBe(404);
  expect((await ask("/account/gateway/manifests/1", username, "other")).status).toBe(401);
  now = 5 * 60_000;
  expect((await ask("/account/gateway/manifests/1")).status).toBe(401);
});

test("keeps the images that a version without a registry deployed, once", () => {
  const directory = mkdtempSync(join(tmpdir(), "registry-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, "images.json");
  const registry = new ImageRegistry({ file });
  createImagesFile(file, ["registry.cloudflare.com/account/box:1"]);
  createImagesFile(file, ["registry.cloudflare.com/account/box:2"]);
  expect(registry.has("registry.cloudflare.com/account/box:1")).toBe(true);
  expect(registry.has("registry.cloudflare.com/account/box:2")).toBe(false);
});
