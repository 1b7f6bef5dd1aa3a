#!/usr/bin/env node
import { PORT_VARIABLE, runPlugin } from "@tenantry/plugin-host";

// A running provider server already has the provider, which takes long to load.
const isServed = Boolean(process.env[PORT_VARIABLE]);
await runPlugin(isServed ? [] : [await (await import("./provider.ts")).cloudflareProvider(process.cwd())]);
