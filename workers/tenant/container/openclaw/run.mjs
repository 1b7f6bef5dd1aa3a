/**
 * Runs OpenClaw as a tenant's gateway: upgrades the state of an older version, writes the configuration, and replaces itself by OpenClaw.
 *
 *   run.mjs [PROGRAM]    OpenClaw's program. Default: the `openclaw` in the `PATH`
 *
 * Environment: that of `start-gateway.mjs`, `platform-config.mjs`, `deliveries/channels.mjs` and `identity-guard.mjs`.
 *
 * Exit code 78 when it cannot start with this state or configuration. `RUN_DIR/gateway-failure.json` gives the reason.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { readRecord, writeRecord } from "../gateway-version.mjs";
import { configure, merged, writeWhole } from "./config-file.mjs";
import { channelVariables, connectedChannels, messengerOf } from "./deliveries/channels.mjs";
import { deliveryKey, executeWith } from "./deliveries/secrets.mjs";
import { identityScopes } from "./operators.mjs";
import { directories, openclawEnvironment, openclawProgram, versionOf } from "./paths.mjs";
import { platformConfig } from "./platform-config.mjs";
import { NAME, upgrade } from "./state-version.mjs";

const EX_CONFIG = 78;
const DELIVERIES = new URL("./deliveries/deliveries.mjs", import.meta.url).href;
const WORK = new URL("./work.mjs", import.meta.url).href;
const GUARD = new URL("./identity-guard.mjs", import.meta.url).href;
const UNASKED = new URL("./unasked.mjs", import.meta.url).href;
/** The order matters: the guard removes identities before the others handle a request. */
const PRELOADS = [DELIVERIES, WORK, GUARD, UNASKED].flatMap((url) => ["--import", url]);

const say = (line) => process.stdout.write(`${new Date().toISOString()} tenantry: ${line}\n`);

const places = directories(process.env);
const failurePath = join(places.run, "gateway-failure.json");
try {
  for (const directory of Object.values(places)) mkdirSync(directory, { recursive: true, mode: 0o700 });
  const program = openclawProgram(process.argv[2], process.env);
  const version = versionOf(program);
  const env = openclawEnvironment(process.env, places);
  const before = readRecord(places.state);
  const isSame = before?.version === version;
  // First, since an older version wrote the configuration too.
  if (!isSame) upgrade({ before, version, program, env, say });
  const { channels: supported, refused } = connectedChannels(process.env, program, say);
  const { accepted, channels, leftOut, rejected } = configure({
    state: places.state,
    program,
    platform: merged(platformConfig(process.env, places), {
      gateway: { auth: { identityScopes: identityScopes(places.state) } },
    }),
    channels: supported,
    env,
    accepted: isSame ? before.accepted : undefined,
    rejected: isSame ? before.rejected : undefined,
    say,
  });
  writeRecord(places.state, { name: NAME, version, accepted, ...(rejected && { rejected }) });
  // For `deliveries.mjs` and `work.mjs`. A socket channel has no door.
  env.DELIVERED_CHANNELS = channels.flatMap(({ kind, url }) => (url === undefined ? [] : [kind])).join();
  // For `work.mjs`.
  env.LEFT_OUT_CHANNELS = JSON.stringify(
    [...leftOut.map((one) => ({ ...one, cause: "configuration_rejected" })), ...refused].map(({ kind, ...why }) => ({
      messenger: messengerOf(kind),
      ...why,
    })),
  );
  const { GATEWAY_PORT: port = "18789", GATEWAY_BIND: bind = "lan" } = process.env;
  const command = [process.execPath, ...PRELOADS, program, "gateway", "run", "--port", port, "--bind", bind];
  const { secrets: { secretToken: telegramSecret } = {} } = channels.find(({ kind }) => kind === "telegram") ?? {};
  const key = process.env.GATEWAY_TOKEN ? deliveryKey(process.env.GATEWAY_TOKEN) : undefined;
  executeWith({ deliveryKey: key, variables: channelVariables(channels), telegramSecret }, command, env);
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${message}\n`);
  writeWhole(failurePath, JSON.stringify({ message }));
  process.exit(EX_CONFIG);
}
