import { html } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:12vh auto;padding:0 1rem;color:#1d2733}
label,input,button{display:block;width:100%;box-sizing:border-box;font:inherit}input{padding:.5rem;margin:.25rem 0 1rem}
button{padding:.6rem;background:#1d4ed8;color:#fff;border:0;border-radius:.3rem;cursor:pointer}code{overflow-wrap:anywhere}`;

interface PageOptions {
  status?: number;
  headers?: Record<string, string>;
  /** Additional origin that a form of the page may submit or redirect to. */
  formTarget?: string;
}

async function renderAccessPage(
  title: string,
  body: HtmlEscapedString | Promise<HtmlEscapedString>,
  options: PageOptions = {},
): Promise<Response> {
  const document = await html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${STYLE}</style></head><body><main><h1>${title}</h1>${body}</main></body></html>`;
  return new Response(String(document), {
    status: options.status ?? 200,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'; form-action 'self' ${options.formTarget ?? ""}`,
      "referrer-policy": "same-origin",
      "x-content-type-options": "nosniff",
      ...options.headers,
    },
  });
}

export function loginPage(
  form: { host: string; name: string; action: string; next: string; browser: string; fault: string | undefined },
  formTarget: string,
) {
  const body = html`<p>Log in to <strong>${form.name}</strong> at <code>${form.host}</code>.</p>
<form method="post" action="${form.action}">
<label for="email">Email</label><input id="email" name="email" type="email" required autofocus autocomplete="email">
<input type="hidden" name="redirect_url" value="${form.next}"><input type="hidden" name="browser" value="${form.browser}">
<button>Log in</button></form>
${form.fault === undefined ? "" : html`<p role="alert">${form.fault}</p>`}
<p>This page emulates Cloudflare Access: it accepts any address and asks for no password. It is available on this machine only.</p>`;
  return renderAccessPage("Log in", body, { formTarget, status: form.fault === undefined ? 200 : 400 });
}

export function refusedPage(email: string, host: string, tryAgain: string) {
  const body = html`<p>You are logged in as <strong>${email}</strong>. This address has no access to <code>${host}</code>.</p>
<p>Ask an administrator for an invitation, or <a href="${tryAgain}">use another address</a>.</p>`;
  return renderAccessPage("No access", body, { status: 403 });
}

export function loggedOutPage(host: string, again: string, cookie: string) {
  const body = html`<p>You are logged out of <code>${host}</code>.</p><p><a href="${again}">Log in again</a></p>`;
  return renderAccessPage("Logged out", body, { headers: { "set-cookie": cookie } });
}

export function messagePage(title: string, text: string, status: number) {
  return renderAccessPage(title, html`<p>${text}</p>`, { status });
}
