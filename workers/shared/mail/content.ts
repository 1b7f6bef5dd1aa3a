/** Renders mails as plain text and HTML. */
import { html } from "hono/html";
import { oneLine } from "#domain/names/one-line.ts";
import type { Branding } from "./branding.ts";

export interface Content {
  subject: string;
  text: string;
  html: string;
  /** Ends mails of this kind by one `POST` (RFC 8058). */
  unsubscribeUrl?: string | undefined;
}

export interface Message {
  subject: string;
  paragraphs: readonly string[];
  action?: { label: string; url: string };
  footnote?: string;
  unsubscribeUrl?: string;
}

export const headerText = (text: string): string => oneLine(text).slice(0, 200);

export function compose(
  { subject, paragraphs, action, footnote, unsubscribeUrl }: Message,
  branding: Branding,
): Content {
  const { name, colours, logoUrl } = branding;
  const unsubscribe = unsubscribeUrl && `Unsubscribe:\n${unsubscribeUrl}`;
  const text = [...paragraphs, action && `${action.label}:\n${action.url}`, footnote, unsubscribe, `-- \n${name}`];
  const page = html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${subject}</title></head>
<body style="margin:0;padding:24px;background:${colours.background};color:${colours.text};font:16px/1.5 system-ui,sans-serif">
<table role="presentation" width="100%"><tr><td align="center"><table role="presentation" width="560" style="width:100%;max-width:560px;background:#fff;border-radius:8px"><tr><td style="padding:32px;overflow-wrap:anywhere;word-break:break-word">
${logoUrl === undefined ? html`<p style="font-weight:600;color:${colours.accent}">${name}</p>` : html`<p><img src="${logoUrl}" alt="${name}" height="40"></p>`}
${paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)}
${action && html`<p><a href="${action.url}" style="display:inline-block;padding:12px 20px;border-radius:6px;background:${colours.accent};color:#fff;text-decoration:none">${action.label}</a></p><p style="font-size:13px">Or open <a href="${action.url}">${action.url}</a></p>`}
${footnote === undefined ? "" : html`<p style="font-size:13px">${footnote}</p>`}
${unsubscribeUrl === undefined ? "" : html`<p style="font-size:13px"><a href="${unsubscribeUrl}">Unsubscribe</a></p>`}
</td></tr></table></td></tr></table></body></html>`;
  return {
    subject: headerText(subject),
    text: `${text.filter((part) => part !== undefined).join("\n\n")}\n`,
    html: String(page),
    unsubscribeUrl,
  };
}
