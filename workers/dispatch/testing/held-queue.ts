/** A queue that tells what was sent to it and delivers nothing: a wrapped binding, as a script for workerd. */
export const HELD_QUEUE = `
export default function (env) {
  return {
    async sendBatch(messages) {
      await env.HELD.fetch("http://held/", { method: "POST", body: JSON.stringify([...messages]) });
    },
  };
}
`;
