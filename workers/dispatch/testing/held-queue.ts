/** A queue that reports what was sent and delivers nothing: a wrapped binding, as a workerd script. */
export const HELD_QUEUE = `
export default function (env) {
  return {
    async sendBatch(messages) {
      await env.HELD.fetch("http://held/", { method: "POST", body: JSON.stringify([...messages]) });
    },
  };
}
`;
