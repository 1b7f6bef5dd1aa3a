import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import * as z from "zod";
import { PROJECT } from "./project-name.ts";
import { makeRunDirectory } from "./run-directory.ts";

const ROOT = join(import.meta.dirname, "../..");

const exported = z.object({
  secrets_providers: z.discriminatedUnion("type", [
    z.object({ type: z.literal("passphrase"), state: z.object({ salt: z.string() }) }),
    z.object({ type: z.literal("cloud"), state: z.object({ url: z.string(), encryptedkey: z.string() }) }),
    // Pulumi Cloud encrypts without a line in the stack's file.
    z.object({ type: z.literal("service") }),
  ]),
});

/** Lines of a stack's file. */
export type Encryption = Readonly<Record<string, string>>;

/** Whether a passphrase encrypts a state. @param deployment exported */
export const hasPassphrase = (deployment: unknown): boolean =>
  exported.safeParse(deployment).data?.secrets_providers.type === "passphrase";

/** Returns the lines of a stack's file that describe the encryption of a state. @param deployment exported */
export function encryptionOf(deployment: unknown): Encryption {
  const found = exported.safeParse(deployment).data?.secrets_providers;
  if (found?.type === "passphrase") return { encryptionsalt: found.state.salt };
  if (found?.type === "cloud") return { secretsprovider: found.state.url, encryptedkey: found.state.encryptedkey };
  return {};
}

/** Runs `work` in the directory of a project, and deletes the directory. */
export async function withProject<T>(
  work: (directory: string) => Promise<T>,
  { stack = "command", config = {}, encryption }: { stack?: string; config?: object; encryption?: Encryption } = {},
): Promise<T> {
  const project = new RunProject(stack, { ...config }, encryption);
  try {
    return await work(project.directory);
  } finally {
    project.remove();
  }
}

/** A directory with a project like `tenants/` and one stack's file, for one run. */
export class RunProject {
  readonly directory = makeRunDirectory();
  readonly #file: string;
  readonly #config: Readonly<Record<string, unknown>>;

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

  /** Writes the encryption of a state to the stack's file, which may lack it. @param deployment exported */
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
