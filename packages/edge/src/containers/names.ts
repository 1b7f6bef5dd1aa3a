/** How containers are named: workerd calls them `workerd-{key}-{id of the object}`, and their sidecars the same with a suffix. */
import { createHash } from "node:crypto";

export interface ScriptName {
  namespace: string;
  name: string;
}

/** In the place of a dispatch namespace for scripts of the account. No namespace has such a name. */
const ACCOUNT_SCRIPTS = ".account";

/** How containers of a script are named, which may be one of the account or of a dispatch namespace. */
export const containerScript = ({
  namespace = ACCOUNT_SCRIPTS,
  name,
}: Partial<ScriptName> & { name: string }): ScriptName => ({
  namespace,
  name,
});

/** Follows a container's name in that of its sidecar. */
export const SIDECAR_SUFFIX = "-proxy";

const hash = (value: unknown): string => createHash("sha256").update(JSON.stringify(value)).digest("hex");

/** Tells the containers of one state directory from all others of the machine. @param directory its real path */
export const engineMark = (directory: string): string =>
  createHash("sha256").update(directory).digest("hex").slice(0, 16);

const scriptHash = ({ namespace, name }: ScriptName): string => hash([namespace, name]).slice(0, 16);

/** What the ids of a class with containers are made from. */
export const containerKey = (mark: string, script: ScriptName, className: string): string =>
  `${script.name}-${mark}-${scriptHash(script)}-${hash(className).slice(0, 8)}`;

/** Matches the containers of a mark, or of one script, and their sidecars. */
export function namesOf(mark: string, script?: ScriptName): RegExp {
  const of = script === undefined ? "[0-9a-f]{16}" : scriptHash(script);
  return new RegExp(`^workerd-.+-${mark}-${of}-[0-9a-f]{8}-[0-9a-f]{64}(${SIDECAR_SUFFIX})?$`);
}
