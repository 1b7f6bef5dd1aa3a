/** The upgrade of a platform that an older version deployed, while one in ten calls of the Cloudflare API fails. */
import { expect, onTestFinished, test } from "vitest";
import { changedResources } from "../testing/engine.ts";
import { notesOf, succeeded } from "../upgrade/testing/contents.ts";
import { FixturePlatform } from "../upgrade/testing/fixture-platform.ts";
import { attempt } from "./testing/attempts.ts";
import { seedsOf, weatherOf } from "./testing/seeds.ts";

const VERSION = "0.1.0-79fb183";

test.each(seedsOf(6))("upgrades a platform and loses nothing under weather %i", async (seed) => {
  const platform = await FixturePlatform.open(VERSION, weatherOf(seed));
  onTestFinished(() => platform.close());
  const { edge, manifest } = platform;
  const { contents } = manifest;
  edge.weather?.resume();
  await attempt(() => platform.upgrade());
  await succeeded(edge, contents.queued.job);
  expect(await notesOf(edge, contents)).toEqual([contents.note]);
  edge.weather?.pause();
  expect(edge.weather?.injected()).not.toEqual({});
  const stack = await platform.stack();
  expect((await stack.exportStack()).deployment.pending_operations ?? []).toEqual([]);
  expect(await changedResources(stack, "refresh")).toEqual([]);
  expect(await changedResources(stack, "preview")).toEqual([]);
});
