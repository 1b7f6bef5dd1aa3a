import { RealEngineClient } from "./client.ts";
import { egressImageOf } from "./engine.ts";
import { buildImage, hasImage, needImage, sourcesHash } from "./images.ts";
import { findEngineSocket } from "./socket.ts";

const SIDECAR_REMEDY = "Load it into the engine, or name another by MINIFLARE_CONTAINER_EGRESS_IMAGE.";

export interface PreparedEngine {
  socket: string;
  image: string;
  egressImage: string;
}

/** An image that is built when it is missing. */
interface OwnImage {
  /** Name without tag. The tag is the hash of the sources. */
  name: string;
  /** Has the Dockerfile. */
  directory: string;
}

async function buildOwnImage(client: RealEngineClient, { name, directory }: OwnImage): Promise<string> {
  const image = `${name}:${sourcesHash(directory)}`;
  if (await hasImage(client, image)) return image;
  try {
    await buildImage(client, { directory, tag: image });
    return image;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(
      `${why}\n\nBuild ${directory} elsewhere, load the image into the engine, and pass its name by --image NAME.`,
    );
  }
}

/**
 * Finds the container engine of the machine and prepares its images. The image of containers is `requested`, else `declared` when the engine
 * has it, else `own`, which is built when it is missing.
 *
 * @throws Error with the remedy when no engine responds or an image is missing
 */
export async function prepareEngine(
  requested: string | undefined,
  declared: string | undefined,
  own: OwnImage,
): Promise<PreparedEngine> {
  const socket = await findEngineSocket();
  const client = new RealEngineClient(socket);
  const egressImage = egressImageOf();
  await needImage(client, egressImage, "the sidecar's image", SIDECAR_REMEDY);
  if (requested !== undefined) {
    await needImage(client, requested, "the containers' image", "Build it, or load it into the engine.");
    return { socket, image: requested, egressImage };
  }
  const has = declared !== undefined && (await hasImage(client, declared));
  return { socket, image: has ? declared : await buildOwnImage(client, own), egressImage };
}
