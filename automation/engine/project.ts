/** The project of one run: a directory of its own, as `tenants/` is, with the stack's settings in it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import * as z from "zod";
import { PROJECT } from "./project-name.ts";

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

export class RunProject {
  readonly directory = mkdtempSync(join(tmpdir(), "tenantry-run-"));
  readonly #file: string;
  readonly #config: Readonly<Record<string, unknown>>;

  constructor(stack: string, config: Readonly<Record<string, unknown>>) {
    this.#file = join(this.directory, `Pulumi.${stack}.yaml`);
    this.#config = config;
    const definition: unknown = parse(readFileSync(join(ROOT, "tenants/Pulumi.yaml"), "utf8"));
    const plugins = { providers: [{ name: PROJECT, path: join(ROOT, "provider") }] };
    writeFileSync(
      join(this.directory, "Pulumi.yaml"),
      stringify({ ...z.looseObject({}).parse(definition), main: ROOT, plugins }),
    );
    this.#write({});
  }

  /** Has the stack's file say how its state is encrypted, which a file that was lost is not asked for. @param deployment exported */
  encryptedLike(deployment: unknown): void {
    const found = exported.safeParse(deployment).data?.secrets_providers;
    if (found?.type === "passphrase") this.#write({ encryptionsalt: found.state.salt });
    if (found?.type === "cloud") {
      this.#write({ secretsprovider: found.state.url, encryptedkey: found.state.encryptedkey });
    }
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }

  #write(encryption: Readonly<Record<string, string>>): void {
    writeFileSync(this.#file, stringify({ ...encryption, config: this.#config }), { mode: 0o600 });
  }
}
