/** Prints the image's version of OpenClaw: `{"name","version"}`. Usage: `version.mjs [PROGRAM]`, as for `run.mjs`. */
import { openclawProgram, versionOf } from "./paths.mjs";
import { NAME } from "./state-version.mjs";

const version = versionOf(openclawProgram(process.argv[2], process.env));
process.stdout.write(`${JSON.stringify({ name: NAME, version })}\n`);
