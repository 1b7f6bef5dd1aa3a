/** Finds the machine's container engine, and sees to it that it has the images it needs. */
import { RealEngineClient } from "./client.ts";
import { egressImageOf } from "./engine.ts";
import { buildImage, hasImage, needImage, sourcesHash } from "./images.ts";
import { findEngineSocket } from "./socket.ts";

const SIDECAR_REMEDY = "Load it there, or name another by MINIFLARE_CONTAINER_EGRESS_IMAGE.";

/** An engine that answers and has its images. */
export interface PreparedEngine {
  socket: string;
  image: string;
  egressImage: string;
}

/** An image that is built where it is missing. */
export interface OwnImage {
  /** Its name without a tag, which is the hash of its sources. */
  name: string;
  /** Holds its Dockerfile. */
  directory: string;
}

async function builtImage(client: RealEngineClient, { name, directory }: OwnImage): Promise<string> {
  const image = `${name}:${sourcesHash(directory)}`;
  if (await hasImage(client, image)) return image;
  try {
    await buildImage(client, { directory, tag: image });
    return image;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(
      `${why}\n\nBuild ${directory} where that is possible, load the image into the engine, and name it by --image NAME.`,
    );
  }
}

/**
 * The containers' image is the one asked for; else the declared one, where the engine has that; else `own`, which is built when it is
 * missing.
 *
 * @throws Error that says what to do when there is no engine, or an image is missing
 */
export async function prepareEngine(
  asked: string | undefined,
  declared: string | undefined,
  own: OwnImage,
): Promise<PreparedEngine> {
  const socket = await findEngineSocket();
  const client = new RealEngineClient(socket);
  const egressImage = egressImageOf();
  await needImage(client, egressImage, "the sidecar's image", SIDECAR_REMEDY);
  if (asked !== undefined) {
    await needImage(client, asked, "the containers' image", "Build or load it there.");
    return { socket, image: asked, egressImage };
  }
  const has = declared !== undefined && (await hasImage(client, declared));
  return { socket, image: has ? declared : await builtImage(client, own), egressImage };
}
