#!/usr/bin/env node
import { runPlugin } from "@tenantry/plugin-host/plugin";
import { cloudflare } from "./provider.ts";

await runPlugin([await cloudflare(process.cwd())]);
