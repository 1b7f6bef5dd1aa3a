import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";

const repository = join(import.meta.dirname, "../..");

/** Builds a test program as a Worker. @param main path below the root @param flags of compatibility @returns the module's text */
export async function bundleProgram(main: string, flags: readonly string[] = []): Promise<string> {
  const out = mkdtempSync(join(tmpdir(), "tenant-bundle-"));
  try {
    const wrangler = join(repository, "node_modules/wrangler/bin/wrangler.js");
    const options = ["--outdir", out, "--name", "test", "--compatibility-date", "2026-07-01"];
    if (flags.length > 0) options.push("--compatibility-flags", ...flags);
    await promisify(execFile)(process.execPath, [wrangler, "deploy", "--dry-run", main, ...options], {
      cwd: repository,
      env: { ...process.env, WRANGLER_SEND_METRICS: "false" },
    });
    return readFileSync(join(out, `${basename(main, ".ts")}.js`), "utf8");
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}
