/**
 * The account's registry of images: manifests by the distribution specification, for credentials of the API. Images are pushed by a line in
 * `images.json`, so that blobs are not served.
 */
import { createHash, createHmac } from "node:crypto";
import { equalSecrets } from "@tenantry/std/same-secret";
import { Hono } from "hono";
import type { ImageRegistry } from "./images.ts";

/** As wrangler's user of these credentials (workers-sdk, `packages/containers-shared`). */
const USER = "v1";
const MANIFEST = "application/vnd.oci.image.manifest.v1+json";

export interface RegistryServer {
  /** Returns credentials that expire. */
  credentials(minutes: number): { username: string; password: string };
  /** To mount at `/v2`. */
  app: Hono;
}

interface RegistryOptions {
  registry: ImageRegistry;
  secret: string;
  accountId: string;
  /** Milliseconds since the epoch. Default: the system clock */
  now?: () => number;
}

const failure = (code: string, message: string) => ({ errors: [{ code, message }] });

export function createRegistryServer({ registry, secret, accountId, now = Date.now }: RegistryOptions): RegistryServer {
  const sign = (expiry: number) =>
    `${expiry}.${createHmac("sha256", secret).update(`registry ${accountId} ${expiry}`).digest("base64url")}`;
  const permits = (header: string | undefined): boolean => {
    const [user, password = ""] = Buffer.from(header?.replace(/^Basic /, "") ?? "", "base64")
      .toString()
      .split(":");
    const expiry = Number(password.split(".")[0]);
    return user === USER && equalSecrets(password, sign(expiry)) && expiry > now();
  };
  const app = new Hono();
  app.use(async (context, next) => {
    if (permits(context.req.header("authorization"))) return next();
    const body = failure("UNAUTHORIZED", "authentication required");
    return context.json(body, 401, { "www-authenticate": `Basic realm="registry"` });
  });
  app.get("/", (context) => context.json({}));
  // Also serves HEAD.
  app.get("/:name{.+}/manifests/:reference", (context) => {
    const { name, reference } = context.req.param();
    if (!registry.hasManifest(name, reference))
      return context.json(failure("MANIFEST_UNKNOWN", "manifest unknown"), 404);
    const body = JSON.stringify({
      schemaVersion: 2,
      mediaType: MANIFEST,
      annotations: { image: `${name}:${reference}` },
    });
    const isDigest = reference.startsWith("sha256:");
    const digest = isDigest ? reference : `sha256:${createHash("sha256").update(body).digest("hex")}`;
    return context.body(body, 200, { "content-type": MANIFEST, "docker-content-digest": digest });
  });
  app.notFound((context) => context.json(failure("UNSUPPORTED", "the edge serves manifests only"), 404));
  return {
    credentials: (minutes) => ({ username: USER, password: sign(now() + minutes * 60_000) }),
    app,
  };
}
