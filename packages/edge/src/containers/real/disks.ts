/** Disks of limited size in Podman: images that it mounts as volumes, as long as their container runs. Docker mounts no images. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { checkImage, createImage, MOUNT_OPTIONS, removeLostAndFound } from "../isolation/disks.ts";
import { SIDECAR_SUFFIX } from "../names.ts";
import type { RealEngineClient } from "./client.ts";

/** Paths of a container with their shares of its disk: Podman mounts a volume as a whole. The gateway's temporary files are in its workspace. */
const PARTS = { "/workspace": 3 / 4, "/tmp": 1 / 4 } as const;
const paths = Object.keys(PARTS) as (keyof typeof PARTS)[];
const IMAGE = /^(.+)-(?:workspace|tmp)\.ext4(?:\.new)?$/;

const volumeOf = (container: string, path: string): string => `${container}-${basename(path)}`;

export class VolumeDisks {
  readonly #client: RealEngineClient;
  readonly #directory: string;
  readonly #turns = new Map<string, Promise<unknown>>();

  /** @param directory of the engine's state */
  constructor(client: RealEngineClient, directory: string) {
    this.#client = client;
    this.#directory = join(directory, ".disks");
  }

  /** Creates the disk of a new container. @returns the volumes and where to mount them, as `VOLUME:PATH` */
  create(container: string, megabytes: number): Promise<string[]> {
    return this.#inTurn(container, async () => {
      await this.#delete(container);
      mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
      // Podman fills an empty volume with what the image has at its path, and its owner and mode.
      const content = mkdtempSync(join(this.#directory, "content-"));
      chmodSync(content, 0o755);
      try {
        for (const path of paths) {
          const device = this.#imageOf(container, path);
          await createImage(device, megabytes * PARTS[path], content);
          await removeLostAndFound(device);
          const DriverOpts = { type: "ext4", device, o: MOUNT_OPTIONS };
          const body = { Name: volumeOf(container, path), Driver: "local", DriverOpts };
          await this.#client.expect([201], "POST", "/volumes/create", { body });
        }
      } finally {
        rmSync(content, { recursive: true });
      }
      return paths.map((path) => `${volumeOf(container, path)}:${path}`);
    });
  }

  /** Removes a container by a function, then its disk, before another disk for its name. */
  remove<Result>(container: string, removeContainer: () => Promise<Result>): Promise<Result> {
    return this.#inTurn(container, async () => {
      const result = await removeContainer();
      await this.#delete(container);
      return result;
    });
  }

  /** Removes disks whose containers do not exist. */
  async removeOthers(containers: ReadonlySet<string>): Promise<void> {
    for (const name of existsSync(this.#directory) ? readdirSync(this.#directory) : []) {
      const container = IMAGE.exec(name)?.[1];
      if (container === undefined) rmSync(join(this.#directory, name), { recursive: true });
      else if (!containers.has(container)) await this.#delete(container);
    }
  }

  /** Checks the disk of a container before its start, since the machine may have crashed. */
  async check(container: string): Promise<void> {
    for (const path of paths) {
      const image = this.#imageOf(container, path);
      if (existsSync(image)) await checkImage(image);
    }
  }

  #imageOf(container: string, path: string): string {
    return join(this.#directory, `${volumeOf(container, path)}.ext4`);
  }

  /** Also deletes volumes whose images do not exist, as when the state of the edge was deleted first. */
  async #delete(container: string): Promise<void> {
    if (container.endsWith(SIDECAR_SUFFIX)) return;
    for (const path of paths) {
      const image = this.#imageOf(container, path);
      rmSync(`${image}.new`, { force: true });
      const { status } = await this.#client.call("DELETE", `/volumes/${volumeOf(container, path)}`);
      // 409: its container still exists.
      if (status === 204 || status === 404) rmSync(image, { force: true });
    }
  }

  async #inTurn<Result>(container: string, work: () => Promise<Result>): Promise<Result> {
    const turn = (this.#turns.get(container) ?? Promise.resolve()).then(work, work);
    this.#turns.set(container, turn);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(container) === turn) this.#turns.delete(container);
    }
  }
}
