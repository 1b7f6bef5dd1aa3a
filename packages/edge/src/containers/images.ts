/**
 * Variables of images, like `ENV` of a Dockerfile. A file `{ image: { variable: text } }` has them. It is read for each new container.
 */
import { existsSync, readFileSync } from "node:fs";
import * as z from "zod";

const images = z.record(z.string(), z.record(z.string().regex(/^[A-Za-z_]\w*$/), z.string()));
export type Images = z.infer<typeof images>;

/** Returns the variables of an image, if the file exists and has it. @throws Error when the file is invalid */
export function imageVariables(file: string, image: string): Images[string] | undefined {
  if (!existsSync(file)) return undefined;
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Error(`${file} is not JSON: ${(error as Error).message}`);
  }
  const parsed = images.safeParse(content);
  if (!parsed.success)
    throw new Error(`${file} must be { image: { variable: text } }: ${z.prettifyError(parsed.error)}`);
  return parsed.data[image];
}
