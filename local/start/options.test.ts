import { describe, expect, test } from "vitest";
import { DEFAULT_STATE, parseOptions } from "./options.ts";

describe("parseOptions", () => {
  test("has a default for everything", () => {
    expect(parseOptions([])).toEqual({
      port: 8787,
      state: DEFAULT_STATE,
      fresh: false,
      vendorPlugins: false,
      gatewayCommand: undefined,
      containers: "processes",
      image: undefined,
      weather: undefined,
    });
  });

  test("returns nothing for --help", () => {
    expect(parseOptions(["--help"])).toBeUndefined();
  });

  test("takes each option", () => {
    const given = [
      "--port",
      "9000",
      "--state",
      "/tmp/edge",
      "--fresh",
      "--vendor-plugins",
      "--gateway",
      "gw run  --port {port}",
      "--weather",
      "7",
    ];
    expect(parseOptions(given)).toEqual({
      port: 9000,
      state: "/tmp/edge",
      fresh: true,
      vendorPlugins: true,
      gatewayCommand: ["gw", "run", "--port", "{port}"],
      containers: "processes",
      image: undefined,
      weather: 7,
    });
    expect(parseOptions(["--containers", "docker", "--image", "gateway:2"])).toMatchObject({
      containers: "docker",
      image: "gateway:2",
    });
  });

  test.each([
    [["--port", "http"], "--port takes a number from 1 to 65535"],
    [["--port", "0"], "--port takes a number from 1 to 65535"],
    [["--port", "70000"], "--port takes a number from 1 to 65535"],
    [["--prot", "1"], "Unknown option '--prot'"],
    [["extra"], "Unexpected argument 'extra'"],
    [["--weather", "rain"], "--weather takes a seed, a whole number from 0"],
    [["--weather", ""], "--weather takes a seed, a whole number from 0"],
    [["--weather", "1.5"], "--weather takes a seed, a whole number from 0"],
    [["--gateway", " "], "--gateway takes a command"],
    [["--containers", "lxc"], '--containers takes "docker"'],
    [["--containers", "docker", "--gateway", "gw"], "--gateway has no effect on images"],
    [["--image", "gateway:2"], "--image requires --containers docker"],
  ])("refuses %j with one sentence", (given, sentence) => {
    expect(() => parseOptions(given)).toThrow(sentence);
  });
});
