/** Serves the pack to the engine that started this process, for as long as it lives. */
import { join } from "node:path";
import { PolicyPack } from "@pulumi/policy";
import { rules } from "./rules.ts";

// The engine's end of the input closes when it is gone, killed for instance.
const end = () => process.exit(0);
process.stdin.once("end", end).once("error", end).resume();

// The SDK takes the pack's version from the package.json of the working directory, which is the program's.
process.chdir(join(import.meta.dirname, ".."));
new PolicyPack("tenantry", { description: "The rules of a Tenantry platform.", policies: [...rules] });
