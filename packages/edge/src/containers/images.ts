/**
 * Images that the account can pull: those that are declared as pushed, and those of a file `{ image: { variable: text } }`, which also has
 * their variables, like `ENV` of a Dockerfile. The file is read at each use.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import * as z from "zod";

const images = z.record(z.string(), z.record(z.string().regex(/^[A-Za-z_]\w*$/), z.string()));
export type Images = z.infer<typeof images>;

/** Creates the file unless it exists. @param deployed images of applications that a version without a registry deployed */
export function createImagesFile(file: string, deployed: readonly string[]): void {
  if (existsSync(file)) return;
  const found: Images = Object.fromEntries(deployed.map((image) => [image, {}]));
  writeFileSync(file, `${JSON.stringify(found, null, 2)}\n`);
}

/** @throws Error when the file is invalid */
function readImages(file: string): Images {
  if (!existsSync(file)) return {};
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Error(`${file} is not JSON: ${(error as Error).message}`);
  }
  const parsed = images.safeParse(content);
  if (!parsed.success)
    throw new Error(`${file} must be { image: { variable: text } }: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

/** Returns the registry with its slash. */
const hostOf = (image: string): string => image.slice(0, image.indexOf("/") + 1);

export class ImageRegistry {
  readonly #file: string | undefined;
  readonly #pushed: readonly string[];

  /** @param o.file of images. Default: none */
  constructor(o: { file?: string | undefined; pushed?: readonly string[] | undefined }) {
    this.#file = o.file;
    this.#pushed = o.pushed ?? [];
  }

  /** Returns the variables of an image, if the file has it. @throws Error when the file is invalid */
  variables(image: string): Images[string] | undefined {
    return this.#read()[image];
  }

  /** @throws Error when the file is invalid */
  has(image: string): boolean {
    return this.#pushed.includes(image) || this.variables(image) !== undefined;
  }

  /** Whether the registry has a manifest. @param reference tag or digest @throws Error when the file is invalid */
  hasManifest(name: string, reference: string): boolean {
    const wanted = name + (reference.includes(":") ? "@" : ":") + reference;
    const all = [...this.#pushed, ...Object.keys(this.#read())];
    return all.some((image) => image === wanted || image.slice(hostOf(image).length) === wanted);
  }

  #read(): Images {
    return this.#file === undefined ? {} : readImages(this.#file);
  }
}
