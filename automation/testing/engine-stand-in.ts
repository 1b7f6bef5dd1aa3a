/** Stand-in for the engine's command line: it has no stacks, or hangs. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface EngineStandIn {
  /** Environment of a service with this engine. */
  variables: Readonly<Record<string, string>>;
  /** Makes each later call hang. */
  hang(): void;
  goOn(): void;
  remove(): void;
}

export function engineStandIn(): EngineStandIn {
  const directory = mkdtempSync(join(tmpdir(), "tenantry-engine-stand-in-"));
  const hanging = join(directory, "hangs");
  const script = `#!/bin/sh
if [ "$1" = version ]; then echo v3.270.0; exit; fi
if [ -e '${hanging}' ]; then exec sleep 1000; fi
echo "error: no stack named 'of-a-test' found" >&2
exit 255
`;
  writeFileSync(join(directory, "pulumi"), script, { mode: 0o755 });
  const goOn = () => rmSync(hanging, { force: true });
  return {
    variables: {
      PATH: `${directory}:${process.env.PATH}`,
      PLATFORM_STACK: "whole",
      PROVISIONING_API_TOKEN: "provisioning-token-of-a-test",
      PULUMI_BACKEND_URL: `file://${directory}`,
      PULUMI_CONFIG_PASSPHRASE: "passphrase-of-a-test",
    },
    hang: () => writeFileSync(hanging, ""),
    goOn,
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
