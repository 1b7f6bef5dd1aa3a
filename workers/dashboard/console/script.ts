/**
 * Script of the console's pages. It inserts texts as text only. A button with `data-method` sends a request to the path `data-path` of the API, with
 * the body `data-body`, after the user agreed to `data-confirm`; `data-done` says what it did.
 */
const SHARED = `
  const DONE = "tenantry-console-done";
  const byId = (id) => document.getElementById(id);
  const base = document.body.querySelector("[data-api]").dataset.api;
  const show = (id, text) => {
    const place = byId(id);
    place.textContent = text;
    place.hidden = text === "";
    if (text !== "") place.focus();
  };
  const faultOf = ({ message, details }) => {
    const fields = Object.entries(details && typeof details === "object" ? details : {}).filter(([, faults]) => Array.isArray(faults));
    return [message, ...fields.map(([name, faults]) => name + ": " + faults.join(", ") + ".")].join(" ");
  };
  const send = async (method, path, body, headers) => {
    let response;
    try {
      response = await fetch(base + "/" + path, {
        method,
        headers: { accept: "application/json", ...(body && { "content-type": "application/json" }), ...headers },
        ...(body && { body: JSON.stringify(body) }),
      });
    } catch {
      throw new Error("The request failed. Check your connection, then try again.");
    }
    if (response.ok) return response.status === 204 ? {} : response.json();
    const { error } = await response.json().catch(() => ({}));
    if (response.status === 401) throw new Error("Your login has expired. Reload this page.");
    throw new Error(error ? faultOf(error) : "The request failed with status " + response.status + ". Try again.");
  };
  const during = async (button, work) => {
    show("fault", "");
    show("done", "");
    button.disabled = true;
    try {
      await work();
    } catch (error) {
      show("fault", error.message);
    } finally {
      button.disabled = false;
    }
  };
  const reload = (text) => {
    sessionStorage.setItem(DONE, text);
    location.reload();
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-method]");
    if (!button) return;
    const { method, path, body, confirm: question, done } = button.dataset;
    if (!confirm(question)) return;
    during(button, async () => {
      const { changed } = await send(method, path, body && JSON.parse(body));
      reload(done.replace("{changed}", changed));
    });
  });
  show("done", sessionStorage.getItem(DONE) || "");
  sessionStorage.removeItem(DONE);
`;

/** @param own of one page, after the shared part */
export const consoleScript = (own: string): string => `(() => {${SHARED}${own}})();`;
