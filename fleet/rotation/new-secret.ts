/** Replaces a secret of another issuer. Old and new are both valid there until the operator revokes the old one. */
import { engineCommand } from "#automation/engine/command-line.ts";
import { withProject } from "#automation/engine/project.ts";
import type { RotateOptions } from "./options.ts";
import type { PlatformFile } from "./platform-file.ts";
import type { GivenSecret } from "./secrets.ts";
import { deployTenants } from "./tenants.ts";

export async function replaceGiven(given: GivenSecret, file: PlatformFile, options: RotateOptions): Promise<void> {
  const { secret, provider, stack, variables, signal, readValue, say } = options;
  const isOfProvider = given.setting === "providerKeys";
  if (isOfProvider !== (provider !== undefined)) {
    throw new Error("--provider NAME, such as openai, is required for provider-key and allowed for no other secret.");
  }
  const value = (await readValue()).trim();
  if (value === "")
    throw new Error(`Standard input is empty. Pass the new secret: npm run fleet -- rotate ${secret} < FILE`);
  const key = `tenantry:${given.setting}`;
  const where = isOfProvider ? ["--path", `${key}["${provider}"]`] : [key];
  const args = ["config", "set", "--secret", ...where, "--stack", stack, "--config-file", file.path];
  await withProject((directory) => engineCommand(args, directory, variables, { signal, input: value }), { stack });
  await file.up();
  if (given.tenants) await deployTenants(file, options);
  say(`${secret}: the new secret is in use. ${given.withdraw}`);
}
