/** Finds the machine's container engine, and sees to it that it has the images it needs. */
import { join } from "node:path";
import { RealEngineClient } from "./client.ts";
import { egressImageOf } from "./engine.ts";
import { buildImage, hasImage, needImage, sourcesHash } from "./images.ts";
import { findEngineSocket } from "./socket.ts";

const SOURCES = join(import.meta.dirname, "../../../workers/tenant/container");

const SIDECAR_REMEDY = "Load it there, or name another by MINIFLARE_CONTAINER_EGRESS_IMAGE.";

/** An engine that answers and has its images. */
export interface PreparedEngine {
  socket: string;
  image: string;
  egressImage: string;
}

/** The project's own image, named after what it is built from. */
async function ownImage(client: RealEngineClient): Promise<string> {
  const image = `localhost/tenantry-gateway:${sourcesHash(SOURCES)}`;
  if (await hasImage(client, image)) return image;
  try {
    await buildImage(client, { directory: SOURCES, tag: image });
    return image;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(
      `${why}\n\nBuild workers/tenant/container/ where that is possible, load the image into the engine, and name it by --image NAME.`,
    );
  }
}

/**
 * The gateway's image is the one asked for; else what the stack declares, where the engine has that; else the project's own,
 * built when it is not there.
 *
 * @param declared image that the stack's settings name
 * @throws Error that says what to do when there is no engine, or an image is missing
 */
export async function prepareEngine(asked: string | undefined, declared: string | undefined): Promise<PreparedEngine> {
  const socket = await findEngineSocket();
  const client = new RealEngineClient(socket);
  const egressImage = egressImageOf();
  await needImage(client, egressImage, "the sidecar's image", SIDECAR_REMEDY);
  if (asked !== undefined) {
    await needImage(client, asked, "the gateway's image", "Build or load it there.");
    return { socket, image: asked, egressImage };
  }
  const has = declared !== undefined && (await hasImage(client, declared));
  return { socket, image: has ? declared : await ownImage(client), egressImage };
}
