import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { RealEngineClient } from "./client.ts";

interface BuildOptions {
  /** Has a Dockerfile. */
  directory: string;
  /** Files to send. Default: all but tests */
  files?: readonly string[];
  tag: string;
  arguments?: Record<string, string>;
}

const pathOf = (image: string): string => `/images/${encodeURI(image)}`;

export async function hasImage(client: RealEngineClient, image: string): Promise<boolean> {
  return (await client.expect([200, 404], "GET", `${pathOf(image)}/json`)).status === 200;
}

/** Finds an error in the progress of a build or pull, whose status is 200 all the same. */
function failureOf(progress: string): string | undefined {
  for (const line of progress.split("\n").toReversed()) {
    const message = /"error":\s*"((?:[^"\\]|\\.)*)"/.exec(line)?.[1];
    if (message !== undefined) return JSON.parse(`"${message}"`);
  }
  return undefined;
}

/**
 * Pulls an image unless the engine has it.
 *
 * @param what the image in a sentence, such as `the sidecar's image`
 * @param remedy a sentence
 * @throws Error with the remedy
 */
export async function needImage(client: RealEngineClient, image: string, what: string, remedy: string): Promise<void> {
  if (await hasImage(client, image)) return;
  const response = await client.call("POST", "/images/create", { query: { fromImage: image } });
  if (await hasImage(client, image)) return;
  const why =
    failureOf(response.text) ?? (response.status === 200 ? "it does not exist after the pull" : response.text.trim());
  throw new Error(
    `The container engine does not have ${what}, ${image}, and pulling it failed: ${why.slice(0, 500)}. ${remedy}`,
  );
}

/** Returns the paths of files in a directory, without tests. */
const findSources = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && !file.name.includes(".test."))
    .map(({ parentPath, name }) => relative(directory, join(parentPath, name)))
    .sort();

export function sourcesHash(directory: string): string {
  const hash = createHash("sha256");
  for (const name of findSources(directory)) hash.update(`${name}\0`).update(readFileSync(join(directory, name)));
  return hash.digest("hex").slice(0, 16);
}

/** Builds an image. @throws Error with the last output of the engine */
export async function buildImage(client: RealEngineClient, options: BuildOptions): Promise<void> {
  const { directory, files = findSources(directory), tag, arguments: given = {} } = options;
  const tar = spawn("tar", ["-C", directory, "-cf", "-", ...files], { stdio: ["ignore", "pipe", "inherit"] });
  tar.once("error", (error) => tar.stdout.destroy(error));
  const query = { t: tag, buildargs: JSON.stringify(given), rm: "true" };
  const { status, text } = await client.call("POST", "/build", { query, body: tar.stdout });
  const failure = failureOf(text);
  if (status === 200 && failure === undefined && (await hasImage(client, tag))) return;
  const last = [...text.matchAll(/"stream":\s*"((?:[^"\\]|\\.)*)"/g)]
    .slice(-5)
    .map(([, line]) => JSON.parse(`"${line}"`));
  throw new Error(`building the image ${tag} failed: ${failure ?? text.trim().slice(-500)}\n${last.join("")}`.trim());
}
