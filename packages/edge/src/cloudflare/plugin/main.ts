#!/usr/bin/env node
import { runPlugin } from "@tenantry/plugin-host";
import { cloudflareProvider } from "./provider.ts";

await runPlugin([await cloudflareProvider(process.cwd())]);
