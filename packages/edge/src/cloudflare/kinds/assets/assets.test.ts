import { readdirSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type ApiServer, account_id, startApiServer } from "../../api/testing/api-server.ts";
import { refusal } from "../../api/testing/refusal.ts";
import { tenants } from "../../api/testing/tenant.ts";
import { collectBlobs } from "../scripts/upload/blobs.ts";
import { readManifest } from "./manifest.ts";
import { entryOf, manifestOf, uploadAssets, uploadBucket, uploadWithAssets } from "./testing/asset-upload.ts";

let server: ApiServer;
beforeEach(async () => {
  server = await startApiServer();
});
afterEach(() => server.close());

const begin = (manifest: Record<string, { hash: string; size: number }>, script = "app") =>
  server.cloudflare.workers.scripts.assets.upload.create(script, { account_id, manifest });

/** Returns texts and types of the live script's files, by path. */
function served(script = "app"): Record<string, unknown> {
  const assets = server.store.get("script", script)?.assets;
  const files = assets === undefined ? {} : readManifest(server.store, assets);
  const text = (sha256: string) => server.store.readBlob(sha256).toString("utf8");
  return Object.fromEntries(Object.entries(files).map(([path, { sha256, type }]) => [path, [text(sha256), type]]));
}

const sent = () => [...server.succeeded].filter((call) => call.endsWith("/assets/upload"));

describe("upload", () => {
  test("requests each file once, and serves all after the script's upload with the completion token", async () => {
    const files = { "/index.html": "hello", "/copy.html": "hello", "/b.js": "b" };
    const { jwt = "", buckets = [] } = await begin(manifestOf(files));
    expect(buckets.flat().toSorted()).toEqual([entryOf("hello").hash, entryOf("b").hash].toSorted());
    expect(await uploadBucket(server.cloudflare, jwt, ["hello"])).toBeUndefined();
    const completion = await uploadBucket(server.cloudflare, jwt, ["b"], "application/null");
    const config = {
      html_handling: "none" as const,
      run_worker_first: ["/*", "!/assets/*"],
      _redirects: "/old /new 301",
    };
    const answer = await uploadWithAssets(server.cloudflare, "app", {
      assets: { jwt: completion ?? "", config },
      bindings: [{ type: "assets", name: "ASSETS" }],
    });
    expect(answer).toMatchObject({ has_assets: true });
    expect(server.store.get("script", "app")).toMatchObject({ assets: { config }, settings: {} });
    expect(served()).toEqual({
      "/index.html": ["hello", "text/html"],
      "/copy.html": ["hello", "text/html"],
      "/b.js": ["b", null],
    });
    const settings = await server.cloudflare.workers.scripts.scriptAndVersionSettings.get("app", { account_id });
    expect(settings.bindings).toEqual([{ type: "assets", name: "ASSETS" }]);
  });

  test("responds with 202 until the last file, then with 201", async () => {
    const { jwt = "" } = await begin(manifestOf({ "/a": "a", "/b": "b" }));
    const send = async (text: string) => {
      const form = new FormData();
      form.append(entryOf(text).hash, new File([Buffer.from(text).toString("base64")], "any"));
      const url = `${server.url}/accounts/${account_id}/workers/assets/upload?base64=true`;
      const response = await fetch(url, { method: "POST", headers: { Authorization: `Bearer ${jwt}` }, body: form });
      return response.status;
    };
    expect([await send("a"), await send("b"), await send("b")]).toEqual([202, 201, 201]);
  });

  test("does not request files of a version of the script or of an interrupted upload again", async () => {
    const jwt = await uploadAssets(server.cloudflare, "app", { "/a": "a" });
    await uploadWithAssets(server.cloudflare, "app", { assets: { jwt } });
    const broken = await begin(manifestOf({ "/a": "a", "/b": "b", "/c": "c" }));
    expect(broken.buckets?.flat()).toEqual([entryOf("b").hash, entryOf("c").hash]);
    await uploadBucket(server.cloudflare, broken.jwt ?? "", ["b"]);
    const again = await begin(manifestOf({ "/moved": "a", "/b": "b" }));
    expect(again.buckets).toEqual([]);
    await uploadWithAssets(server.cloudflare, "app", { assets: { jwt: again.jwt ?? "" } });
    expect(served()).toEqual({ "/moved": ["a", "text/html"], "/b": ["b", "text/html"] });
    expect((await begin(manifestOf({ "/a": "a" }), "other")).buckets).toEqual([[entryOf("a").hash]]);
  });

  test("requests many files in parts", async () => {
    const manifest = Object.fromEntries(Array.from({ length: 250 }, (_, n) => [`/${n}`, entryOf(String(n))]));
    const { buckets = [] } = await begin(manifest);
    expect(buckets.map((bucket) => bucket.length)).toEqual([100, 100, 50]);
    const large = Array.from(
      { length: 3 },
      (_, n) => [`/${n}`, { hash: String(n).repeat(32), size: 9_000_000 }] as const,
    );
    expect((await begin(Object.fromEntries(large))).buckets).toEqual([
      ["0".repeat(32), "1".repeat(32)],
      ["2".repeat(32)],
    ]);
  });

  test("of a script in a dispatch namespace is separate", async () => {
    const { namespaces } = server.cloudflare.workersForPlatforms.dispatch;
    const { assetUpload } = namespaces.scripts;
    const manifest = manifestOf({ "/a": "a" });
    expect(await refusal(assetUpload.create("app", { ...tenants, manifest }))).toMatchObject({ status: 404 });
    await namespaces.create({ account_id, name: "tenants" });
    const { jwt = "" } = await assetUpload.create("app", { ...tenants, manifest });
    const completion = (await uploadBucket(server.cloudflare, jwt, ["a"])) ?? "";
    const elsewhere = uploadWithAssets(server.cloudflare, "app", { assets: { jwt: completion } });
    expect(await refusal(elsewhere)).toMatchObject({ status: 400, codes: [10021] });
    await namespaces.scripts.update("app", {
      ...tenants,
      metadata: { main_module: "index.js", assets: { jwt: completion } },
      files: [new File(["export default {};"], "index.js", { type: "application/javascript+module" })],
    });
    expect(served("tenants/app")).toEqual({ "/a": ["a", "text/html"] });
  });
});

describe("later upload of the script", () => {
  const config = { html_handling: "none" as const };
  beforeEach(async () => {
    const jwt = await uploadAssets(server.cloudflare, "app", { "/a": "a" });
    await uploadWithAssets(server.cloudflare, "app", { assets: { jwt, config } });
  });

  test("has no files unless it keeps them", async () => {
    await uploadWithAssets(server.cloudflare, "app", { keep_assets: true });
    expect(server.store.get("script", "app")?.assets).toMatchObject({ config });
    await uploadWithAssets(server.cloudflare, "app", {
      keep_assets: true,
      assets: { config: { run_worker_first: true } },
    });
    expect(server.store.get("script", "app")?.assets?.config).toEqual({ run_worker_first: true });
    expect(served()).toEqual({ "/a": ["a", "text/html"] });
    const answer = await uploadWithAssets(server.cloudflare, "app", {});
    expect(answer).toMatchObject({ has_assets: false });
    expect(server.store.get("script", "app")).not.toHaveProperty("assets");
  });

  test("has its own files before it is deployed", async () => {
    const { versions, deployments } = server.cloudflare.workers.scripts;
    const jwt = await uploadAssets(server.cloudflare, "app", { "/next": "next" });
    const metadata = { main_module: "index.js", assets: { jwt } };
    const files = [new File(["export default {};"], "index.js", { type: "application/javascript+module" })];
    const { id: version_id = "" } = await versions.create("app", { account_id, metadata, files });
    expect(served()).toEqual({ "/a": ["a", "text/html"] });
    await deployments.create("app", {
      account_id,
      strategy: "percentage",
      versions: [{ version_id, percentage: 100 }],
    });
    expect(served()).toEqual({ "/next": ["next", "text/html"] });
  });

  test("of settings, secrets or content does not affect files", async () => {
    const { content, scriptAndVersionSettings, secrets } = server.cloudflare.workers.scripts;
    await scriptAndVersionSettings.edit("app", { account_id, settings: { logpush: true } });
    await secrets.update("app", { account_id, name: "S", text: "s", type: "secret_text" });
    const files = [new File(["export default {};"], "index.js", { type: "application/javascript+module" })];
    await content.update("app", { account_id, metadata: { main_module: "index.js" }, files });
    expect(served()).toEqual({ "/a": ["a", "text/html"] });
  });
});

test("the edge deletes unreferenced blobs at startup, and no others", async () => {
  const blobs = () => readdirSync(server.store.blobDirectory).length;
  const jwt = await uploadAssets(server.cloudflare, "app", { "/a": "a", "/b": "b" });
  await uploadWithAssets(server.cloudflare, "app", { assets: { jwt } });
  collectBlobs(server.store);
  // The module, the manifest and two files.
  expect(blobs()).toBe(4);
  const next = await uploadAssets(server.cloudflare, "app", { "/a": "a" });
  await uploadWithAssets(server.cloudflare, "app", { assets: { jwt: next } });
  expect(blobs()).toBe(5);
  collectBlobs(server.store);
  expect(blobs()).toBe(3);
  expect(served()).toEqual({ "/a": ["a", "text/html"] });
  await server.cloudflare.workers.scripts.delete("app", { account_id });
  collectBlobs(server.store);
  expect(blobs()).toBe(0);
});

describe("refuses", () => {
  const file = entryOf("a");

  test.each([
    ["an invalid hash", { "/a": { ...file, hash: "short" } }, "32 hexadecimal digits"],
    ["a path without a slash", { a: file }, "slash"],
  ])("%s", async (_what, manifest, words) => {
    const refused = await refusal(begin(manifest));
    expect(refused).toMatchObject({ status: 400, codes: [10304] });
    expect(refused.message).toContain(words);
  });

  test("an unexpected or wrong file", async () => {
    const { jwt = "" } = await begin({ "/a": file });
    const upload = (body: Record<string, string>, token = jwt) =>
      server.cloudflare.workers.assets.upload.create(
        { account_id, base64: true, body },
        { headers: { Authorization: `Bearer ${token}` } },
      );
    expect(await refusal(upload({ [entryOf("b").hash]: "YQ==" }))).toMatchObject({ status: 400 });
    expect(await refusal(upload({ [file.hash]: "YWE=" }))).toMatchObject({ status: 400 });
    expect(await refusal(upload({ [file.hash]: "<a>" }))).toMatchObject({ status: 400 });
    expect(await refusal(upload({ [file.hash]: "YQ==" }, server.apiToken))).toMatchObject({ status: 403 });
    const [header, , signature] = jwt.split(".");
    const payload = Buffer.from(JSON.stringify({ sub: "x", use: "upload", exp: 9e9 })).toString("base64url");
    const forged = [header, payload, signature].join(".");
    expect(await refusal(upload({ [file.hash]: "YQ==" }, forged))).toMatchObject({ status: 403 });
    const whole = await upload({ [file.hash]: "YQ==" });
    expect(await refusal(upload({ [file.hash]: "YQ==" }, whole.jwt))).toMatchObject({ status: 403 });
    expect(sent()).toHaveLength(1);
  });

  test("an invalid completion token, or one older than an hour", async () => {
    const { jwt = "" } = await begin({ "/a": file });
    const deploy = (token?: string) =>
      uploadWithAssets(server.cloudflare, "app", {
        assets: token === undefined ? { config: { html_handling: "none" } } : { jwt: token },
      });
    for (const token of [jwt, "nonsense", "", undefined])
      expect(await refusal(deploy(token))).toMatchObject({ status: 400 });
    const completion = (await uploadBucket(server.cloudflare, jwt, ["a"])) ?? "";
    const later = vi.spyOn(Date, "now").mockReturnValue(Date.now() + 3_600_001);
    expect(await refusal(deploy(completion))).toMatchObject({ status: 400 });
    later.mockRestore();
    expect(server.store.list("script")).toEqual([]);
    await deploy(completion);
  });

  test.each([
    ["only excluding rules", ["!/a"]],
    ["a rule without a slash", ["api/*"]],
    ["a redundant rule", ["/*", "/a/*"]],
    ["a duplicate rule", ["/a", "/a"]],
  ])("%s", async (_what, run_worker_first) => {
    const jwt = await uploadAssets(server.cloudflare, "app", { "/a": "a" });
    const upload = uploadWithAssets(server.cloudflare, "app", { assets: { jwt, config: { run_worker_first } } });
    expect(await refusal(upload)).toMatchObject({ status: 400, codes: [10021] });
  });

  test("a binding to missing assets", async () => {
    const upload = uploadWithAssets(server.cloudflare, "app", { bindings: [{ type: "assets", name: "ASSETS" }] });
    expect(await refusal(upload)).toMatchObject({ status: 400, codes: [10021] });
  });
});
