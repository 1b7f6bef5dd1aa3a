/**
 * What an image has beside the scripts: the variables of its environment, as a real one's `ENV`. A file tells them, `{ image: { variable: text } }`,
 * which is read each time that a container is made.
 */
import { existsSync, readFileSync } from "node:fs";
import * as z from "zod";

const images = z.record(z.string(), z.record(z.string().regex(/^[A-Za-z_]\w*$/), z.string()));
/** The variables of images by their names, as stacks name them. */
export type Images = z.infer<typeof images>;

/**
 * The variables of an image; `undefined` of one that the file, if there is any, does not tell of.
 *
 * @throws Error with one sentence when the file is no such JSON
 */
export function imageVariables(file: string, image: string): Images[string] | undefined {
  if (!existsSync(file)) return undefined;
  let told: unknown;
  try {
    told = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Error(`${file} is no JSON: ${(error as Error).message}`);
  }
  const parsed = images.safeParse(told);
  if (!parsed.success)
    throw new Error(`${file} must be { image: { variable: text } }: ${z.prettifyError(parsed.error)}`);
  return parsed.data[image];
}
