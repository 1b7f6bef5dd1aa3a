/** Script of the console's page: it creates and revokes tokens through the API. It inserts texts as text only. */
export const SCRIPT = `
(() => {
  const byId = (id) => document.getElementById(id);
  const base = document.body.querySelector("[data-tokens]").dataset.tokens;
  const form = byId("create");
  const fault = byId("fault");
  const say = (text) => {
    fault.textContent = text;
    fault.hidden = text === "";
    if (text !== "") fault.focus();
  };
  const send = async (method, id, body) => {
    let response;
    try {
      response = await fetch(base + "/" + id, {
        method,
        headers: { accept: "application/json", ...(body && { "content-type": "application/json" }) },
        ...(body && { body: JSON.stringify(body) }),
      });
    } catch {
      throw new Error("The request failed. Check your connection, then try again.");
    }
    if (response.ok) return response.status === 204 ? undefined : response.json();
    const { error } = await response.json().catch(() => ({}));
    if (response.status === 401) throw new Error("Your login has expired. Reload this page.");
    throw new Error(error ? error.message : "The request failed with status " + response.status + ". Try again.");
  };
  const during = async (button, work) => {
    say("");
    button.disabled = true;
    try {
      await work();
    } catch (error) {
      say(error.message);
    } finally {
      button.disabled = false;
    }
  };

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
        const token = await send("PUT", form.dataset.id, {
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
    const { copy, revoke, name } = button.dataset;
    if (copy) {
      navigator.clipboard.writeText(byId(copy).textContent).then(
        () => { byId("copied").textContent = "Copied."; },
        () => { byId("copied").textContent = "The browser does not allow copying. Select the text instead."; },
      );
    }
    if (revoke && confirm('Revoke "' + name + '"? Programs with this token are refused at once. You cannot undo this.')) {
      during(button, async () => {
        await send("DELETE", revoke);
        location.reload();
      });
    }
    if (button.id === "done") location.reload();
  });
})();
`;
