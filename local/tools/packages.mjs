/** Runs `npm ci` when the lock file has changed. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./command.mjs";

export async function ensurePackages(root) {
  const wanted = createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
  const stamp = join(root, "node_modules", ".tenantry-lock");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  process.stderr.write("Installing packages (npm ci)…\n");
  const code = await run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    shell: process.platform === "win32",
  });
  if (code !== 0) throw new Error("npm ci failed. Check the network or the registry settings, and run it again.");
  writeFileSync(stamp, wanted);
}
