import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { provider, resource, runPlugin, UserError } from "@tenantry/plugin-host";
import * as z from "zod";

const config = z.object({
  folder: z.string({ error: "Name the folder of the notes: pulumi config set notes:folder PATH" }),
  delayMs: z.coerce.number({ error: "Give the delay of a create in milliseconds." }).min(0).default(0),
});
const inputs = z.object({
  name: z.string().regex(/^[\w-]+$/, { error: "may have letters, digits, '_' and '-' only" }),
  text: z.string(),
});

/** A text file in the folder. Its id is its name. */
const note = resource<z.infer<typeof config>, z.infer<typeof inputs>, { path: string }>({
  type: "notes:index:Note",
  inputs,
  replaceOn: ["name"],
  identity: ({ name }) => name,
  async create({ folder, delayMs }, { name, text }, run) {
    await run.status(`Waiting ${delayMs} ms`);
    await setTimeout(delayMs, undefined, { signal: run.cancelled }).catch(() => {
      throw new UserError(`The note '${name}' was not created because the run was cancelled. Run it again.`);
    });
    const path = join(folder, `${name}.txt`);
    await mkdir(folder, { recursive: true });
    await writeFile(path, text);
    return { id: name, outputs: { path } };
  },
  async read({ folder }, name) {
    const path = join(folder, `${name}.txt`);
    const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
    return text === undefined ? undefined : { inputs: { name, text }, outputs: { path } };
  },
  async update({ folder }, name, { text }) {
    const path = join(folder, `${name}.txt`);
    await writeFile(path, text);
    return { path };
  },
  delete: ({ folder }, name) => rm(join(folder, `${name}.txt`), { force: true }),
});

await runPlugin([
  provider({ name: "notes", version: "1.0.0", config, connect: (options) => options, resources: [note] }),
]);
