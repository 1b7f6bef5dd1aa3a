import { expect, test } from "vitest";
import { OpenConnections } from "./open-connections.ts";

test("closes connections that are open, and those of requests that began before the cut", () => {
  const connections = new OpenConnections();
  const closed: string[] = [];
  const open = (name: string, add = connections.begin()) => add(() => closed.push(name));
  const waiting = connections.begin();
  open("open");
  open("ended")();
  connections.cut();
  expect(closed).toEqual(["open"]);
  open("late", waiting);
  expect(closed).toEqual(["open", "late"]);
  open("later");
  expect(closed).toEqual(["open", "late"]);
});
