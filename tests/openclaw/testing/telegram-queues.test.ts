import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ChatQueues, type WebhookAnswer } from "./telegram-queues.ts";

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Updates are `[chat, name]`. */
function open(answerTo: (name: string) => WebhookAnswer) {
  const pending: [number, string][] = [
    [1, "a"],
    [1, "b"],
    [2, "c"],
  ];
  const attempts: string[] = [];
  const remove = (update: [number, string]) => void pending.splice(pending.indexOf(update), 1);
  const queues = new ChatQueues<[number, string]>({
    next: (chat) => pending.find(([of]) => of === chat),
    attempt: async (update) => {
      attempts.push(`${update[1]}@${Date.now() / 1000}`);
      const answer = answerTo(update[1]);
      if (answer.status === 200) remove(update);
      return answer;
    },
    drop: remove,
  });
  return { queues, attempts, pending };
}

test("repeats an update at once and then with doubled delays, before later ones of its chat, beside other chats", async () => {
  const { queues, attempts } = open((name) => ({
    status: name === "a" && Date.now() < 30_000 ? 404 : 200,
    retryAfter: 0,
  }));
  const runs = [queues.run(1), queues.run(1), queues.run(2)];
  await vi.advanceTimersByTimeAsync(60_000);
  await Promise.all(runs);
  expect(attempts.filter((attempt) => !attempt.startsWith("c"))).toEqual([
    ...["a@0", "a@0", "a@2", "a@6", "a@14", "a@30"],
    "b@30",
  ]);
  expect(attempts).toContain("c@0");
});

test("waits as long as the webhook asks, and drops an update after a day", async () => {
  const asked = open(() => ({ status: Date.now() === 0 ? 503 : 200, retryAfter: 7 }));
  void asked.queues.run(2);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked.attempts).toEqual(["c@0", "c@7"]);
  const refused = open(() => ({ status: 404, retryAfter: 0 }));
  void refused.queues.run(2);
  await vi.advanceTimersByTimeAsync(25 * 3600 * 1000);
  expect(refused.pending).not.toContainEqual([2, "c"]);
});
