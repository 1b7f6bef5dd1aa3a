/** Script of the page of service tokens: it creates tokens, and shows each secret once. */
export const SCRIPT = `
  const form = byId("create");
  const fields = form ? form.elements : undefined;
  const limitRole = () => {
    const chosen = fields.user.options ? fields.user.selectedOptions[0] : fields.user;
    const isAdmin = chosen.dataset.role === "ADMIN";
    for (const option of fields.role.options) option.disabled = option.value === "ADMIN" && !isAdmin;
    if (!isAdmin) fields.role.value = "BASE_USER";
  };
  if (form) {
    if (fields.user.options) fields.user.addEventListener("change", limitRole);
    limitRole();
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      during(fields.submit, async () => {
        const token = await send("PUT", "tokens/" + form.dataset.id, {
          client_user_id: fields.user.value,
          name: fields.name.value,
          role: fields.role.value,
          days: Number(fields.days.value),
        });
        byId("client-id").textContent = token.access_client_id;
        byId("secret").textContent = token.client_secret;
        byId("command").textContent =
          "curl " + form.dataset.url +
          ' -H "CF-Access-Client-Id: ' + token.access_client_id + '"' +
          ' -H "CF-Access-Client-Secret: ' + token.client_secret + '"';
        form.hidden = true;
        byId("created").hidden = false;
        byId("created-title").focus();
      });
    });
  }
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    const { copy } = button.dataset;
    if (copy) {
      navigator.clipboard.writeText(byId(copy).textContent).then(
        () => { byId("copied").textContent = "Copied."; },
        () => { byId("copied").textContent = "The browser does not allow copying. Select the text instead."; },
      );
    }
    if (button.id === "finish") location.reload();
  });
`;
