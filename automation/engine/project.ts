/** The project of one run: a directory of its own, as `tenants/` is, with the stack's settings in it. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import * as z from "zod";
import { PROJECT } from "./project-name.ts";
import { makeRunDirectory } from "./run-directory.ts";

const ROOT = join(import.meta.dirname, "../..");

/** How a state is encrypted, as an exported one tells. */
const exported = z.object({
  secrets_providers: z.discriminatedUnion("type", [
    z.object({ type: z.literal("passphrase"), state: z.object({ salt: z.string() }) }),
    z.object({ type: z.literal("cloud"), state: z.object({ url: z.string(), encryptedkey: z.string() }) }),
    // What the vendor's service encrypts needs no line.
    z.object({ type: z.literal("service") }),
  ]),
});

/** Lines of a stack's file. */
export type Encryption = Readonly<Record<string, string>>;

/** Whether a state's secrets are read by a passphrase. @param deployment exported */
export const hasPassphrase = (deployment: unknown): boolean =>
  exported.safeParse(deployment).data?.secrets_providers.type === "passphrase";

/** How a stack's file says how a state is encrypted; empty where it needs no line. @param deployment exported */
export function encryptionOf(deployment: unknown): Encryption {
  const found = exported.safeParse(deployment).data?.secrets_providers;
  if (found?.type === "passphrase") return { encryptionsalt: found.state.salt };
  if (found?.type === "cloud") return { secretsprovider: found.state.url, encryptedkey: found.state.encryptedkey };
  return {};
}

export class RunProject {
  readonly directory = makeRunDirectory();
  readonly #file: string;
  readonly #config: Readonly<Record<string, unknown>>;

  /** @param encryption what the stack's file says of it. Default: nothing, as of a stack that is yet to be made */
  constructor(stack: string, config: Readonly<Record<string, unknown>>, encryption: Encryption = {}) {
    this.#file = join(this.directory, `Pulumi.${stack}.yaml`);
    this.#config = config;
    const definition: unknown = parse(readFileSync(join(ROOT, "tenants/Pulumi.yaml"), "utf8"));
    const plugins = { providers: [{ name: PROJECT, path: join(ROOT, "stack/provider") }] };
    writeFileSync(
      join(this.directory, "Pulumi.yaml"),
      stringify({ ...z.looseObject({}).parse(definition), main: ROOT, plugins }),
    );
    this.#write(encryption);
  }

  /** Has the stack's file say how its state is encrypted, which a file that was lost is not asked for. @param deployment exported */
  encryptedLike(deployment: unknown): void {
    const encryption = encryptionOf(deployment);
    if (Object.keys(encryption).length > 0) this.#write(encryption);
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }

  #write(encryption: Encryption): void {
    writeFileSync(this.#file, stringify({ ...encryption, config: this.#config }), { mode: 0o600 });
  }
}
