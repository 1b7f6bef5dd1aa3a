/**
 * `npm run images -- [OPTION…]` builds the image of tenants and the automation service's with buildah, and writes for each a bill of materials
 * (CycloneDX) and a line with its size, layers and duration. The same lock files and base give the same image: times in it are 0.
 *
 * Options: `--base IMAGE` (default: the Dockerfile's; `debian` builds one from Debian packages, as root), `--engine IMAGE` (default: the
 * Containerfile's; `local` takes that of `npm start`), `--without-plugins` (for the local edge, which has stand-ins), `--only tenant|automation`, `--output DIRECTORY`
 * (default: .tenantry/images). Environment: NODE_EXTRA_CA_CERTS, authorities of the registries.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { engineDirectory } from "./engine.mjs";
import { billOfMaterials } from "./images/bill-of-materials.mjs";

const root = join(import.meta.dirname, "../..");
const { values } = parseArgs({
  options: {
    base: { type: "string" },
    engine: { type: "string" },
    "without-plugins": { type: "boolean", default: false },
    only: { type: "string" },
    output: { type: "string", default: join(root, ".tenantry/images") },
  },
});
const authorities = process.env.NODE_EXTRA_CA_CERTS;
const scratch = mkdtempSync(join(tmpdir(), "tenantry-images-"));
process.once("exit", () => rmSync(scratch, { recursive: true, force: true }));

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

/** Runs a program with its output in a log. Exits with the log's end when it fails. */
function run(program, parameters, options = {}) {
  const { status, error, stdout, stderr } = spawnSync(program, parameters, {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    ...options,
  });
  if (error !== undefined)
    fail(`Failed to run ${program}: ${error.message}. Install buildah, and debootstrap for --base debian.`);
  if (status !== 0)
    fail(`${program} ${parameters[0]} failed:\n${`${stdout}${stderr}`.trim().split("\n").slice(-40).join("\n")}`);
  return stdout;
}

/** @returns parameters of a build that make its registries' authorities known */
function trust() {
  if (!authorities) return [];
  const npmrc = join(scratch, "npmrc");
  writeFileSync(npmrc, "cafile=/etc/ssl/certs/ca-certificates.crt\n");
  return ["--volume", `${authorities}:/etc/ssl/certs/ca-certificates.crt:ro`, "--volume", `${npmrc}:/root/.npmrc:ro`];
}

function build(tag, directory, parameters) {
  const times = ["--timestamp", "0", "--layers=false"];
  // Needs no runtime of containers, and no rights over the machine's control groups.
  const common = ["--isolation", "chroot", "--network", "host", ...times, ...trust()];
  run("buildah", ["bud", ...common, ...parameters, "--tag", tag, directory]);
}

/** Builds a base from Debian packages and the checkout's Node and npm, as Docker's `node` image has them. */
function buildDebianBase() {
  const tag = "localhost/tenantry/node-base";
  const context = join(scratch, "base");
  mkdirSync(context);
  run("debootstrap", ["--variant=minbase", "--include=ca-certificates", "bookworm", join(context, "rootfs")]);
  cpSync(process.execPath, join(context, "node"));
  const npm = dirname(dirname(execFileSync("npm", ["root", "--global"], { encoding: "utf8" }).trim()));
  cpSync(join(npm, "lib/node_modules/npm"), join(context, "npm"), { recursive: true, dereference: true });
  cpSync(join(import.meta.dirname, "images/Dockerfile"), join(context, "Dockerfile"));
  build(tag, context, []);
  return tag;
}

/** @returns lines of package and version */
function debianPackages(tag) {
  const container = run("buildah", ["from", tag]).trim();
  try {
    const fields = ["Package", "Version"].map((name) => `\${${name}}`).join("\\t");
    const query = ["dpkg-query", "--show", `--showformat=${fields}\\n`];
    return run("buildah", ["run", "--isolation", "chroot", container, "--", ...query]);
  } finally {
    run("buildah", ["rm", container]);
  }
}

/** Puts the engine that `npm start` uses in an image. */
function buildLocalEngine() {
  const tag = "localhost/tenantry/engine";
  const context = join(scratch, "engine");
  cpSync(engineDirectory(), join(context, "bin"), { recursive: true });
  writeFileSync(join(context, "Dockerfile"), "FROM scratch\nCOPY bin /pulumi/bin\n");
  build(tag, context, []);
  return tag;
}

/** Copies the checkout's files, since a build sends everything in its directory. */
function copyCheckout() {
  const context = join(scratch, "checkout");
  mkdirSync(context);
  const copy = 'git ls-files -z --cached --others --exclude-standard | tar --null -T - -cf - | tar -xf - -C "$0"';
  run("sh", ["-c", copy, context], { cwd: root });
  return context;
}

const argument = (name, value) => (value === undefined ? [] : ["--build-arg", `${name}=${value}`]);

const IMAGES = {
  tenant: {
    directory: () => join(root, "workers/tenant/container"),
    lock: join(root, "workers/tenant/container/openclaw-packages"),
    parameters: () => [],
  },
  automation: {
    directory: copyCheckout,
    lock: root,
    parameters: () => [
      ...["--file", join(root, "automation/Containerfile")],
      ...argument("ENGINE", engine),
      ...argument("PLUGINS", values["without-plugins"] ? "" : undefined),
    ],
  },
};

const names = Object.keys(IMAGES).filter((name) => values.only === undefined || values.only === name);
if (names.length === 0) fail(`--only must be one of: ${Object.keys(IMAGES).join(", ")}`);
mkdirSync(values.output, { recursive: true });
const engine = values.engine === "local" && names.includes("automation") ? buildLocalEngine() : values.engine;
const base = values.base === "debian" ? buildDebianBase() : values.base;
for (const name of names) {
  const { directory, lock, parameters } = IMAGES[name];
  const tag = `localhost/tenantry/${name}`;
  const begun = Date.now();
  process.stdout.write(`Building ${tag}…\n`);
  build(tag, directory(), [...argument("BASE", base), ...parameters()]);
  const [{ id, size }] = JSON.parse(run("buildah", ["images", "--json", tag]));
  const { OCIv1: image, FromImageDigest: digest } = JSON.parse(run("buildah", ["inspect", "--type", "image", tag]));
  const bill = join(values.output, `${name}.cdx.json`);
  writeFileSync(
    bill,
    JSON.stringify(
      billOfMaterials({
        image: `${tag}@${digest}`,
        lock: JSON.parse(readFileSync(join(lock, "package-lock.json"), "utf8")),
        debian: debianPackages(tag),
      }),
      null,
      2,
    ),
  );
  const seconds = Math.round((Date.now() - begun) / 1000);
  process.stdout.write(
    `  ${id.slice(0, 12)}  ${size}  ${image.rootfs.diff_ids.length} layers  ${seconds} s  ${bill}\n`,
  );
}
