/** Names of containers: `workerd-{key}-{id of the object}`, with a suffix for their sidecars. */
import { createHash } from "node:crypto";
import * as z from "zod";

export const scriptName = z.object({ namespace: z.string(), name: z.string() });
export type ScriptName = z.infer<typeof scriptName>;

/** Replaces the dispatch namespace of scripts of the account. No namespace can have this name. */
const ACCOUNT_SCRIPTS = ".account";

export const containerScript = (script: { namespace?: string; name: string }): ScriptName => ({
  namespace: script.namespace ?? ACCOUNT_SCRIPTS,
  name: script.name,
});

/** Image of a class whose container application is not registered yet. A reference to an image has no space. */
export const NO_APPLICATION = "no application";

/** Image of a class whose containers get what {@link ContainerEngine.deploy} sets when they start. */
export const DEPLOYED = "as deployed";

/** Suffix of the name of a sidecar. */
export const SIDECAR_SUFFIX = "-proxy";

/** Port of a sidecar in its network. */
export const INGRESS = "39001/tcp";

const hashOf = (value: unknown): string => createHash("sha256").update(JSON.stringify(value)).digest("hex");

/** Returns the mark of the containers of a state directory. @param directory its real path */
export const engineMark = (directory: string): string =>
  createHash("sha256").update(directory).digest("hex").slice(0, 16);

const scriptHash = ({ namespace, name }: ScriptName): string => hashOf([namespace, name]).slice(0, 16);

/** Returns the seed of the ids of a class with containers. */
export const containerKey = (mark: string, script: ScriptName, className: string): string =>
  `${script.name}-${mark}-${scriptHash(script)}-${hashOf(className).slice(0, 8)}`;

/** Returns the key in the name of a container. */
export const keyOf = (container: string): string => /^workerd-(.+)-[0-9a-f]{64}$/.exec(container)?.[1] ?? "";

/** Returns a pattern of the names of containers of a mark, or of one script, and of their sidecars. */
export function namesOf(mark: string, script?: ScriptName): RegExp {
  const of = script === undefined ? "[0-9a-f]{16}" : scriptHash(script);
  return new RegExp(`^workerd-.+-${mark}-${of}-[0-9a-f]{8}-[0-9a-f]{64}(${SIDECAR_SUFFIX})?$`);
}
