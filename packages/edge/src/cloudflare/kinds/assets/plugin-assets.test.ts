import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as cloudflare from "@pulumi/cloudflare";
import { type ProviderServer, pluginEnvironment, startServer } from "@tenantry/plugin-host";
import { changed, type TestStack, testStack } from "@tenantry/plugin-host/testing/test-stack";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiServer, account_id, startApiServer } from "../../api/testing/api-server.ts";
import { pluginDirectory } from "../../plugin/executable.ts";
import { cloudflareProvider as standIn } from "../../plugin/provider.ts";
import { readManifest } from "./manifest.ts";
import { uploadWithAssets } from "./testing/asset-upload.ts";

let api: ApiServer;
let server: ProviderServer;
let stack: TestStack;
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "assets-plugin-"));
  await mkdir(join(directory, "pages/assets"), { recursive: true });
  await writeFile(join(directory, "pages/index.html"), "the-home-page");
  await writeFile(join(directory, "pages/assets/app.js"), "the-first-program");
  await writeFile(join(directory, "pages/.hidden"), "the-hidden-file");
  api = await startApiServer();
  server = await startServer([await standIn(directory)]);
  stack = await testStack(pluginEnvironment(server), { cloudflare: pluginDirectory });
  await stack.stack.setAllConfig({
    "cloudflare:baseUrl": { value: api.url },
    "cloudflare:apiToken": { value: api.apiToken, secret: true },
  });
  stack.program(declare("pages"));
}, 60_000);

afterAll(async () => {
  await stack?.dispose();
  await server?.stop();
  await api?.close();
  await rm(directory, { recursive: true, force: true });
});

/** @param pages the directory, relative to the program. Default: none */
function declare(pages?: string, config: cloudflare.types.input.WorkersScriptAssetsConfig = { htmlHandling: "none" }) {
  return async () => {
    new cloudflare.WorkersScript("dashboard", {
      accountId: account_id,
      scriptName: "dashboard",
      mainModule: "index.js",
      content: "export default {};",
      ...(pages !== undefined && {
        assets: {
          directory: pages,
          config: { runWorkerFirst: ["/*", "!/assets/*"], headers: "/*\n  A: b\n", ...config },
        },
        bindings: [{ type: "assets", name: "ASSETS" }],
      }),
    });
  };
}

const assets = () => api.store.get("script", "dashboard")?.assets;

function served(): Record<string, unknown> {
  const held = assets();
  const files = held === undefined ? {} : readManifest(api.store, held);
  const text = (sha256: string) => api.store.readBlob(sha256).toString("utf8");
  return Object.fromEntries(Object.entries(files).map(([path, { sha256, type }]) => [path, [text(sha256), type]]));
}

/** Returns the writing calls and the uploaded files. */
async function writes(work: () => Promise<unknown>): Promise<string[]> {
  api.succeeded.clear();
  await work();
  return [...api.succeeded].filter((call) => !call.startsWith("GET"));
}

test("a preview writes nothing, the run uploads the files, and the next run changes nothing", async () => {
  expect(await writes(() => stack.stack.preview())).toEqual([]);
  expect(changed(await stack.stack.up())).toEqual({ create: 2 });
  expect(served()).toEqual({
    "/.hidden": ["the-hidden-file", null],
    "/assets/app.js": ["the-first-program", "text/javascript; charset=utf-8"],
    "/index.html": ["the-home-page", "text/html; charset=utf-8"],
  });
  expect(assets()?.config).toEqual({
    html_handling: "none",
    run_worker_first: ["/*", "!/assets/*"],
    _headers: "/*\n  A: b\n",
  });
  expect(await writes(async () => expect(changed(await stack.stack.up())).toEqual({ same: 2 }))).toEqual([]);
  expect(changed(await stack.stack.refresh())).toEqual({ same: 2 });
}, 120_000);

test("the state has the hash of the manifest, but no files", async () => {
  const state = await stack.state();
  expect(state).toMatch(/"assetManifestSha256": ?"[0-9a-f]{64}"/);
  for (const text of ["the-home-page", "the-first-program", "the-hidden-file"]) {
    for (const form of [text, Buffer.from(text).toString("base64")]) expect(state).not.toContain(form);
  }
}, 60_000);

test("a preview shows a changed file", async () => {
  await writeFile(join(directory, "pages/assets/app.js"), "the-second-program");
  const preview = await stack.stack.preview({ diff: true });
  expect(preview.changeSummary).toMatchObject({ update: 1 });
  expect(preview.stdout).toContain("assetManifestSha256");
  expect(served()).toMatchObject({ "/assets/app.js": ["the-first-program", "text/javascript; charset=utf-8"] });
  expect(changed(await stack.stack.up())).toEqual({ same: 1, update: 1 });
  expect(served()).toMatchObject({ "/assets/app.js": ["the-second-program", "text/javascript; charset=utf-8"] });
}, 120_000);

test("changed rules are an update without uploads", async () => {
  stack.program(declare("pages", { htmlHandling: "none", notFoundHandling: "404-page" }));
  const calls = await writes(async () => expect(changed(await stack.stack.up())).toEqual({ same: 1, update: 1 }));
  expect(calls.map((call) => call.replace(/^.*\/workers/, ""))).toEqual([
    "/scripts/dashboard/assets-upload-session",
    "/scripts/dashboard",
  ]);
  expect(assets()?.config).toMatchObject({ not_found_handling: "404-page" });
}, 120_000);

test("a refresh finds deleted files, and the next run restores them", async () => {
  const files = served();
  await uploadWithAssets(api.cloudflare, "dashboard", {});
  expect(changed(await stack.stack.refresh())).toEqual({ same: 1, update: 1 });
  expect(changed(await stack.stack.up())).toEqual({ same: 1, update: 1 });
  expect(served()).toEqual(files);
}, 120_000);

test("a missing directory is an error, and removing `assets` deletes the files", async () => {
  stack.program(declare("nowhere"));
  await expect(stack.stack.preview()).rejects.toThrow(/assets\.directory.*cannot be read/s);
  stack.program(declare());
  expect(changed(await stack.stack.up())).toEqual({ same: 1, update: 1 });
  expect(assets()).toBeUndefined();
}, 120_000);
