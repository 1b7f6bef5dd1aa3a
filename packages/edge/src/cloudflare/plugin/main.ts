#!/usr/bin/env node
import { runPlugin } from "@tenantry/plugin-host";
import { cloudflare } from "./provider.ts";

await runPlugin([await cloudflare(process.cwd())]);
