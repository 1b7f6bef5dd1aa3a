/**
 * Images for tests, built from this machine's programs without downloads: a base with Node and the tools that the project's Dockerfile
 * requires, the gateway's image, and a sidecar's.
 */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { buildImage, type RealEngineClient } from "@tenantry/edge/containers";

const repository = join(import.meta.dirname, "../../..");
const SCRIPTS = join(repository, "workers/tenant/container");
/** Programs of Debian's base image. */
const PROGRAMS = [
  ..."sh cat cp chmod chown df env find grep head id kill ls mkdir mv rm rmdir setsid sleep stat tail tr true unshare wc".split(
    " ",
  ),
];
const SIDECAR_FILES = [
  "package.json",
  "packages/edge/package.json",
  "packages/edge/src/containers/network",
  "packages/edge/src/x509",
  "packages/std/package.json",
  "packages/std/src",
  "workers/contracts/tenant/sandbox.ts",
  "workers/tenant/testing/sidecar-program.ts",
  "node_modules/zod",
];

/** Copies a program with its libraries. */
function install(program: string, to: string, root: string): void {
  mkdirSync(dirname(join(root, to)), { recursive: true });
  copyFileSync(program, join(root, to));
  const loads = execFileSync("ldd", [program], { encoding: "utf8" });
  for (const [library] of loads.matchAll(/\/\S+/g)) {
    if (existsSync(join(root, library))) continue;
    mkdirSync(dirname(join(root, library)), { recursive: true });
    copyFileSync(library, join(root, library));
  }
}

function layBase(directory: string): void {
  const root = join(directory, "root");
  install(process.execPath, "usr/local/bin/node", root);
  for (const name of PROGRAMS) install(execFileSync("which", [name], { encoding: "utf8" }).trim(), `bin/${name}`, root);
  for (const name of ["etc", "tmp", "proc", "sys", "dev"]) mkdirSync(join(root, name), { recursive: true });
  mkdirSync(join(directory, "node"));
  chmodSync(join(root, "tmp"), 0o1777);
  writeFileSync(join(root, "etc/passwd"), "root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n");
  writeFileSync(join(root, "etc/group"), "root:x:0:\nnode:x:1000:\n");
  writeFileSync(
    join(directory, "Dockerfile"),
    'FROM scratch\nCOPY root /\nCOPY --chown=1000:1000 node /home/node\nENV PATH=/usr/local/bin:/usr/bin:/bin\nCMD ["sleep", "infinity"]\n',
  );
}

function layGateway(directory: string, base: string): void {
  for (const path of globSync(["*.mjs", "reference/*.mjs"], { cwd: SCRIPTS }))
    cpSync(join(SCRIPTS, path), join(directory, "gateway", path));
  const command = ["node", "/opt/gateway/reference/gateway.mjs"];
  const version = JSON.stringify([...command, "--version"]);
  writeFileSync(
    join(directory, "Dockerfile"),
    `FROM ${base}\nCOPY gateway /opt/gateway\nENV GATEWAY_COMMAND='${JSON.stringify(command)}' GATEWAY_VERSION_COMMAND='${version}'\n`,
  );
}

/** Copies the programs that set a network's rules, with their extensions. An engine needs them for its own networks. */
function installRules(root: string): void {
  for (const name of ["iptables", "ip6tables"])
    install(execFileSync("which", [name], { encoding: "utf8" }).trim(), `usr/sbin/${name}`, root);
  for (const path of globSync("/usr/lib{,64,/*}/xtables")) cpSync(path, join(root, path), { recursive: true });
}

function laySidecar(directory: string, base: string): void {
  for (const path of SIDECAR_FILES) cpSync(join(repository, path), join(directory, "app", path), { recursive: true });
  mkdirSync(join(directory, "app/node_modules/@tenantry"));
  for (const name of ["edge", "std"])
    symlinkSync(`../../packages/${name}`, join(directory, "app/node_modules/@tenantry", name));
  installRules(join(directory, "rules"));
  writeFileSync(
    join(directory, "Dockerfile"),
    `FROM ${base}\nCOPY rules /\nCOPY app /app\nENV PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin\nENTRYPOINT ["node", "/app/workers/tenant/testing/sidecar-program.ts"]\n`,
  );
}

async function build(client: RealEngineClient, tag: string, lay: (directory: string) => void): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "tenantry-image-"));
  try {
    lay(directory);
    // With links and empty folders.
    await buildImage(client, { directory, tag, files: ["."] });
    return tag;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Builds the base image, without running anything. @param mark distinguishes images of concurrent runs */
export const buildBase = (client: RealEngineClient, mark: string): Promise<string> =>
  build(client, `localhost/tenantry-test-base:${mark}`, layBase);

/** Builds the project's image with the reference gateway. */
export async function buildGateway(client: RealEngineClient, mark: string, base: string): Promise<string[]> {
  const scripts = `localhost/tenantry-test-scripts:${mark}`;
  await buildImage(client, { directory: SCRIPTS, tag: scripts, arguments: { BASE: base, OPENCLAW: "" } });
  const layer = (directory: string) => layGateway(directory, scripts);
  return [await build(client, `localhost/tenantry-test-gateway:${mark}`, layer), scripts];
}

export const buildSidecar = (client: RealEngineClient, mark: string, base: string): Promise<string> =>
  build(client, `localhost/tenantry-test-sidecar:${mark}`, (directory) => laySidecar(directory, base));
