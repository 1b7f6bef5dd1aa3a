/** Makes programs trust the authority of intercepted HTTPS (vendor: Cloudflare Containers, "Handle outbound traffic"). */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const AUTHORITY = "/etc/cloudflare/certs/cloudflare-containers-ca.crt";
/** Debian's and Red Hat's certificates of public authorities. */
const SYSTEM = ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt"];
/** Variables of OpenSSL, Git, Python's requests, and curl: each replaces the system's certificates. */
const BUNDLE_VARIABLES = ["SSL_CERT_FILE", "GIT_SSL_CAINFO", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"];

const read = (path) => readFileSync(path, "utf8").trimEnd();

/** Returns the system's certificates, or Node's in an image without them. */
async function publicAuthorities(system) {
  const path = system.find((one) => existsSync(one));
  if (path !== undefined) return read(path);
  const { rootCertificates } = await import("node:tls");
  return rootCertificates.join("\n");
}

/**
 * Returns variables by which programs trust the authority; none without its certificate. Certificates that the image adds for Node stay trusted.
 *
 * @param runDirectory gets the file of all authorities
 */
export async function authorityVariables(env, runDirectory, { authority = AUTHORITY, system = SYSTEM } = {}) {
  if (!existsSync(authority)) return {};
  const own = env.NODE_EXTRA_CA_CERTS;
  const added = own !== undefined && existsSync(own) ? [own, authority] : [authority];
  const bundle = join(runDirectory, "authorities.pem");
  writeFileSync(bundle, `${[await publicAuthorities(system), ...added.map(read)].join("\n")}\n`, { mode: 0o600 });
  return {
    NODE_EXTRA_CA_CERTS: added.length === 1 ? authority : bundle,
    ...Object.fromEntries(BUNDLE_VARIABLES.map((name) => [name, bundle])),
  };
}
