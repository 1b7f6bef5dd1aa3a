import { createServer } from "node:http";
import { closeAndCut, listen } from "@tenantry/std/listening";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ACCOUNT, requirementsOf } from "../testing/requirements.ts";
import { imageChecks, parseImage } from "./image.ts";

test.each([
  ["registry.cloudflare.com/a/gateway:1", "registry.cloudflare.com", "a/gateway", "1"],
  ["registry.cloudflare.com/a/gateway@sha256:ab", "registry.cloudflare.com", "a/gateway", "sha256:ab"],
  ["registry.cloudflare.com/a/gateway:1@sha256:ab", "registry.cloudflare.com", "a/gateway", "sha256:ab"],
  ["localhost:5000/gateway", "localhost:5000", "gateway", undefined],
  ["acme/gateway:2", "docker.io", "acme/gateway", "2"],
  ["gateway", "docker.io", "gateway", undefined],
])("parses %s", (image, registry, name, reference) => {
  expect(parseImage(image)).toEqual({ registry, name, reference });
});

/** The API and the account's registry. */
const server = createServer((request, response) => {
  const host = request.headers.host ?? "";
  const result =
    request.method === "POST"
      ? { account_id: ACCOUNT, registry_host: host, username: "v1", password: "registry-password" }
      : [{ domain: "registry.example.com" }];
  if (request.url?.startsWith("/v2/") === true) {
    const isOurs = request.headers.authorization === `Basic ${btoa("v1:registry-password")}`;
    const isKnown = request.url === `/v2/${ACCOUNT}/gateway/manifests/1`;
    response.writeHead(isOurs ? (isKnown ? 200 : 404) : 401, { "docker-content-digest": "sha256:ab" }).end();
  } else {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ success: true, errors: [], result }));
  }
});
let url: string;
beforeAll(async () => {
  url = `http://127.0.0.1:${await listen(server, { port: 0 })}`;
});
afterAll(() => closeAndCut(server));

const results = async (containerImage: string) =>
  Promise.all(imageChecks.map(({ run }) => run(requirementsOf({ url, platform: { containerImage } }))));

test.each([
  [`registry.cloudflare.com/${ACCOUNT}/gateway:1`, "pass", "pass", null],
  [`registry.cloudflare.com/${ACCOUNT}/gateway:2`, "pass", "fail", "preflight_image_not_found"],
  [`registry.cloudflare.com/${"c".repeat(32)}/gateway:1`, "pass", "fail", "preflight_image_of_other_account"],
  ["registry.example.com/gateway:1", "pass", "skip", "preflight_image_unchecked"],
  ["ghcr.io/acme/gateway:1", "pass", "fail", "preflight_registry_not_configured"],
  ["acme/gateway:latest", "fail", "skip", "preflight_image_unchecked"],
])("checks %s", async (image, pinned, present, reason) => {
  const [first, second] = await results(image);
  expect(first?.state).toBe(pinned);
  expect(second).toMatchObject({ state: present, reason });
});
