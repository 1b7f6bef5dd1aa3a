/** The filter of system calls of Podman, which by default allows those of containers in containers, such as `unshare`. Docker's does not. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { REFUSED } from "../../isolation/seccomp.ts";
import type { RealEngineClient } from "../client.ts";

const info = z.looseObject({
  host: z.looseObject({
    security: z.looseObject({ seccompEnabled: z.boolean(), seccompProfilePath: z.string() }),
  }),
});
const profile = z.looseObject({
  syscalls: z.array(z.looseObject({ names: z.array(z.string()), action: z.string() })),
});

const ALLOW = "SCMP_ACT_ALLOW";
/** Flags of new namespaces, as in Docker's profile. Without `clone3`, whose flags a filter cannot read, C libraries use `clone`. */
const CLONE = {
  names: ["clone"],
  action: ALLOW,
  args: [{ index: 0, value: 0x7e02_0000, valueTwo: 0, op: "SCMP_CMP_MASKED_EQ" }],
};

/** Returns a profile without the calls that Docker refuses. */
function stricter(text: string): string {
  const { syscalls, ...others } = profile.parse(JSON.parse(text));
  const refused = new Set([...Object.keys(REFUSED), "clone", "clone3"]);
  const kept = syscalls.flatMap((rule) => {
    if (rule.action !== ALLOW) return [rule];
    const names = rule.names.filter((name) => !refused.has(name));
    return names.length === 0 ? [] : [{ ...rule, names }];
  });
  return JSON.stringify({ ...others, syscalls: [...kept, CLONE] });
}

/**
 * Writes a stricter profile than Podman's. Containers keep what it says when they are created.
 *
 * @param directory of the file
 * @returns its path; `undefined` when Podman runs on another machine, or without filters
 */
export async function writeFilter(client: RealEngineClient, directory: string): Promise<string | undefined> {
  const { text } = await client.expect([200], "GET", "/v4.0.0/libpod/info");
  const { seccompEnabled, seccompProfilePath } = info.parse(JSON.parse(text)).host.security;
  if (!seccompEnabled) return undefined;
  try {
    const path = join(directory, "seccomp.json");
    writeFileSync(path, stricter(readFileSync(seccompProfilePath, "utf8")));
    return path;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
