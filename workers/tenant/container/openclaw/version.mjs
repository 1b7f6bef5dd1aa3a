/** Prints which OpenClaw the image has: `{"name","version"}`. `version.mjs [PROGRAM]`, as of `run.mjs`. */

import { openclawProgram, versionOf } from "./paths.mjs";
import { NAME } from "./state-version.mjs";

const version = versionOf(openclawProgram(process.argv[2], process.env));
process.stdout.write(`${JSON.stringify({ name: NAME, version })}\n`);
