/**
 * Prints the image's gateway and the age of a state relative to it: `node versions.mjs` for the state directory, `node versions.mjs NAME VERSION`
 * for a state of this gateway. The output is `{"image","state","age","diskBytes"}` on one line (`versionAnswer` of
 * workers/contracts/tenant/sandbox.ts).
 *
 * Environment: STATE_DIR as for `backup.mjs`; GATEWAY_COMMAND and GATEWAY_VERSION_COMMAND, see `gateway-version.mjs`.
 *
 * Exit codes: 0 success; 64 invalid usage or setting; 69 the image does not report its gateway's version.
 */
import { mkdir, statfs } from "node:fs/promises";
import { ageOf, imageGateway, isGateway, stateGateway } from "./gateway-version.mjs";
import { exitCodeOf, ScriptError } from "./script-error.mjs";

/** Returns the bytes of the disk that the tenant may use. */
async function diskBytes(directory) {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const { blocks, bfree, bavail, bsize } = await statfs(directory);
  return (blocks - bfree + bavail) * bsize;
}

async function run([name, version], env) {
  const stateDirectory = env.STATE_DIR ?? "/workspace/state";
  if (name !== undefined && !isGateway({ name, version }))
    throw new ScriptError(64, "usage: versions.mjs [NAME VERSION]");
  const image = await imageGateway(env);
  const state = name === undefined ? stateGateway(stateDirectory) : { name, version };
  return { image, state, age: ageOf(state, image), diskBytes: await diskBytes(stateDirectory) };
}

try {
  process.stdout.write(`${JSON.stringify(await run(process.argv.slice(2), process.env))}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = exitCodeOf(error);
}
