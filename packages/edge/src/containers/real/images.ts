/** Images of the machine's container engine: whether one is there, where it comes from, and how the gateway's is built. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { RealEngineClient } from "./client.ts";

/** What is built from a directory that holds a Dockerfile. */
export interface BuildOptions {
  directory: string;
  /** What of it the engine is sent; default: all files but tests. */
  files?: readonly string[];
  tag: string;
  arguments?: Record<string, string>;
}

const pathOf = (image: string): string => `/images/${encodeURI(image)}`;

export async function hasImage(client: RealEngineClient, image: string): Promise<boolean> {
  return (await client.expect([200, 404], "GET", `${pathOf(image)}/json`)).status === 200;
}

/** The engine reports a failure in the middle of a success. */
function failureOf(progress: string): string | undefined {
  for (const line of progress.split("\n").toReversed()) {
    const message = /"error":\s*"((?:[^"\\]|\\.)*)"/.exec(line)?.[1];
    if (message !== undefined) return JSON.parse(`"${message}"`);
  }
  return undefined;
}

/**
 * Sees to it that the engine has an image, pulling it where it has not.
 *
 * @param what of the image in a sentence, such as `the sidecar's image`
 * @param remedy a sentence
 * @throws Error that says so, with the remedy
 */
export async function needImage(client: RealEngineClient, image: string, what: string, remedy: string): Promise<void> {
  if (await hasImage(client, image)) return;
  const answer = await client.call("POST", "/images/create", { query: { fromImage: image } });
  if (await hasImage(client, image)) return;
  const why = failureOf(answer.text) ?? (answer.status === 200 ? "it is not there afterwards" : answer.text.trim());
  throw new Error(
    `The container engine does not have ${what}, ${image}, and cannot pull it: ${why.slice(0, 500)}. ${remedy}`,
  );
}

/** Paths of the files below a directory, without tests. */
const sources = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && !file.name.includes(".test."))
    .map(({ parentPath, name }) => relative(directory, join(parentPath, name)))
    .sort();

/** Changes when a file of the directory does, so that an image named after it is never an old one. */
export function sourcesHash(directory: string): string {
  const hash = createHash("sha256");
  for (const name of sources(directory))
    hash
      .update(name)
      .update("\0")
      .update(readFileSync(join(directory, name)));
  return hash.digest("hex").slice(0, 16);
}

/** @throws Error with the last of what the engine said when the image cannot be built */
export async function buildImage(client: RealEngineClient, options: BuildOptions): Promise<void> {
  const { directory, files = sources(directory), tag, arguments: given = {} } = options;
  const tar = spawn("tar", ["-C", directory, "-cf", "-", ...files], { stdio: ["ignore", "pipe", "inherit"] });
  tar.once("error", (error) => tar.stdout.destroy(error));
  const query = { t: tag, buildargs: JSON.stringify(given), rm: "true" };
  const { status, text } = await client.call("POST", "/build", { query, body: tar.stdout });
  const failure = failureOf(text);
  if (status === 200 && failure === undefined && (await hasImage(client, tag))) return;
  const last = [...text.matchAll(/"stream":\s*"((?:[^"\\]|\\.)*)"/g)]
    .slice(-5)
    .map(([, line]) => JSON.parse(`"${line}"`));
  throw new Error(`the image ${tag} cannot be built: ${failure ?? text.trim().slice(-500)}\n${last.join("")}`.trim());
}
