/** The container image: pinned, and in a registry that the account can pull from. */
import * as z from "zod";
import { preflightAccountErrors as errors } from "#domain/errors/commands/fleet-preflight.ts";
import { type Check, failed, type Outcome, passed, skipped } from "../check.ts";
import { faultOf, isSuccess, networkFault } from "../cloudflare.ts";
import type { Requirements } from "../requirements.ts";

/** wrangler's name of the account's registry, and its variable (workers-sdk: `getCloudflareContainerRegistry`). */
const REGISTRY = "registry.cloudflare.com";
const REGISTRY_VARIABLE = "CLOUDFLARE_CONTAINER_REGISTRY";
/** Containers pull public images of Docker Hub (developers.cloudflare.com/containers/platform-details/image-management). */
const PUBLIC = "docker.io";
const MANIFESTS =
  "application/vnd.oci.image.index.v1+json, application/vnd.oci.image.manifest.v1+json, application/vnd.docker.distribution.manifest.v2+json";
const ANSWER_MS = 10_000;

const registry = z.object({ domain: z.string() });
const credentials = z.object({ registry_host: z.string(), username: z.string(), password: z.string() });

export interface ImageReference {
  registry: string;
  /** Without registry, tag and digest. */
  name: string;
  /** Tag or digest; undefined without one. */
  reference: string | undefined;
}

/** Parses an image reference as Docker does: the first part is a registry if it has a dot or a port. */
export function parseImage(image: string): ImageReference {
  const [path = "", digest] = image.split("@");
  const [first = "", ...rest] = path.split("/");
  const hasRegistry = rest.length > 0 && /[.:]|^localhost$/.test(first);
  const repository = hasRegistry ? rest.join("/") : path;
  const colon = repository.lastIndexOf(":");
  const tag = colon > repository.lastIndexOf("/") && colon >= 0 ? repository.slice(colon + 1) : undefined;
  return {
    registry: hasRegistry ? first : PUBLIC,
    name: tag === undefined ? repository : repository.slice(0, colon),
    reference: digest ?? tag,
  };
}

export const imageChecks: readonly Check[] = [
  { id: "image_pinned", title: "Image is pinned", run: checkPinned },
  { id: "image_present", title: "Image is present", run: checkPresent },
];

/** wrangler refuses the tag `latest` (workers-sdk: `"latest" tag is not allowed`). */
async function checkPinned({ settings }: Requirements): Promise<Outcome> {
  const { containerImage: image } = settings.platform;
  const { reference } = parseImage(image);
  const isPinned = reference !== undefined && reference !== "latest";
  return isPinned ? passed(reference) : failed(errors.preflight_image_not_pinned, { image });
}

async function checkPresent(requirements: Requirements): Promise<Outcome> {
  const { api, settings, variables } = requirements;
  const { accountId: account, containerImage: image } = settings.platform;
  const { registry: host, name } = parseImage(image);
  const own = variables[REGISTRY_VARIABLE] || REGISTRY;
  if (host === own) {
    const [found = ""] = name.split("/");
    if (/^[0-9a-f]{32}$/.test(found) && found !== account)
      return failed(errors.preflight_image_of_other_account, { image, found, account });
    return checkOwnRegistry(requirements, own);
  }
  if (host !== PUBLIC) {
    const listed = await api.list(`/accounts/${account}/containers/registries`);
    if ("refused" in listed)
      return skipped(errors.preflight_image_unchecked, { image, fault: faultOf(listed.refused) });
    const known = z.array(registry).parse(listed.items);
    if (!known.some(({ domain }) => domain === host))
      return failed(errors.preflight_registry_not_configured, { registry: host });
  }
  return skipped(errors.preflight_image_unchecked, { image, fault: `${host} is not Cloudflare's registry` });
}

/** Asks the account's registry with temporary credentials that may only pull. */
async function checkOwnRegistry({ api, settings, signal }: Requirements, own: string): Promise<Outcome> {
  const { accountId, containerImage: image } = settings.platform;
  const unchecked = (fault: string) => skipped(errors.preflight_image_unchecked, { image, fault });
  const path = `/accounts/${accountId}/containers/registries/${own}/credentials`;
  const answer = await api.request("POST", path, { expiration_minutes: 5, permissions: ["pull"] });
  if (!isSuccess(answer)) return unchecked(faultOf(answer));
  const { registry_host: host, username, password } = credentials.parse(answer.envelope?.result);
  const { name, reference = "latest" } = parseImage(image);
  const isLoopback = /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host);
  try {
    const manifest = await fetch(`${isLoopback ? "http" : "https"}://${host}/v2/${name}/manifests/${reference}`, {
      method: "HEAD",
      headers: { authorization: `Basic ${btoa(`${username}:${password}`)}`, accept: MANIFESTS },
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
    });
    if (manifest.ok) return passed(manifest.headers.get("docker-content-digest") ?? reference);
    return manifest.status === 404
      ? failed(errors.preflight_image_not_found, { image })
      : unchecked(`HTTP ${manifest.status}`);
  } catch (error) {
    return unchecked(networkFault(error).replace(/\.$/, ""));
  }
}
