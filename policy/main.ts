import { join } from "node:path";
import { PolicyPack } from "@pulumi/policy";
import { rules } from "./rules.ts";

// The engine's end of the input closes when the engine exits, even if it is killed.
const endProcess = () => process.exit(0);
process.stdin.once("end", endProcess).once("error", endProcess).resume();

// The SDK reads the pack's version from package.json in the working directory, which is the program's.
process.chdir(join(import.meta.dirname, ".."));
new PolicyPack("tenantry", { description: "The rules of a Tenantry platform.", policies: [...rules] });
