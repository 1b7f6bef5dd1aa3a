/** Script of the page of network access. The API reads the lines of the policy. */
export const SCRIPT = `
  const form = byId("policy");
  const { mode, entries, preview, submit } = form.elements;
  const change = () => ({
    policy: mode.value === "" ? null : {
      mode: mode.value,
      entries: entries.value.split("\\n").map((line) => line.trim()).filter((line) => line !== ""),
    },
  });
  const put = (query) => send("PUT", "egress" + query, change(), { "if-match": '"' + form.dataset.version + '"' });
  preview.addEventListener("click", () => during(preview, async () => {
    const { would_refuse } = await put("?preview=true");
    show("done", would_refuse.length === 0
      ? "The policy refuses no recorded request."
      : "The policy would refuse: " + would_refuse.map(({ host, port, requests }) => host + ":" + port + " (" + requests + ")").join(", ") + ".");
  }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    during(submit, async () => {
      await put("");
      // Without hosts that the address proposes.
      history.replaceState(null, "", location.pathname);
      reload("Policy stored.");
    });
  });
  const secret = byId("secret");
  secret.addEventListener("submit", (event) => {
    event.preventDefault();
    const { name, host, header, prefix, value, submit: store } = secret.elements;
    during(store, async () => {
      await send("POST", "egress/secrets", {
        name: name.value, host: host.value, header: header.value, prefix: prefix.value, value: value.value,
      });
      value.value = "";
      reload("Secret " + name.value + " stored.");
    });
  });
`;
