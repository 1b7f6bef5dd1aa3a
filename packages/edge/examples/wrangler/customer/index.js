export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    if (request.method === "PUT") {
      const text = await request.text();
      await Promise.all([env.NOTES.put(pathname, text), env.FILES.put(pathname, text)]);
      return new Response("Stored\n");
    }
    const [note, file] = await Promise.all([env.NOTES.get(pathname), env.FILES.get(pathname)]);
    return Response.json({ note, file: await file?.text() });
  },
};
