/** Which files of a state directory hold credentials, of OpenClaw and in general. Their content is never shown. */

const SECRET_DIRECTORIES = new Set([
  "credentials",
  "identity",
  "devices",
  "secrets",
  ".ssh",
  ".gnupg",
  ".aws",
  ".config",
]);
const SECRET_NAMES = [
  // The records of the platform's scripts.
  /^\.tenantry-/,
  /^openclaw\.json/,
  /^exec-approvals\.json/,
  /^\.(env|netrc|npmrc|pgpass|git-credentials)/,
  /\.(pem|key|p12|pfx|jks|keystore|kdbx)$/,
  /(^|[._-])(auth|oauth|credentials?|secrets?|tokens?|passwords?|api-?keys?|id_(rsa|ed25519|ecdsa))([._-]|$)/,
];

/** @param path relative to the state directory */
export function isSecret(path) {
  const parts = path.toLowerCase().split("/");
  const name = parts.at(-1) ?? "";
  return parts.some((part) => SECRET_DIRECTORIES.has(part)) || SECRET_NAMES.some((pattern) => pattern.test(name));
}
