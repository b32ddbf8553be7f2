import type { Alert } from './alert.js';

/** The body of a mail, as plain text and as HTML. */
export interface EmailMessage {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => ESCAPES[character]!);

/** A mail about an event. Its lines have no control characters, so the subject cannot inject a header. */
export function emailMessage({ title, text, facts, link }: Alert): EmailMessage {
  const lines = facts.map(([label, value]) => `${label}: ${value}`);
  const rows = facts.map(
    ([label, value]) => `<tr><th align="left">${escaped(label)}</th><td>${escaped(value)}</td></tr>`,
  );
  const linked = link === null ? '' : `<p><a href="${escaped(link)}">Open the console</a></p>`;
  return {
    subject: `[Gatehouse] ${title}`,
    text: [title, '', text, '', ...lines, ...(link === null ? [] : ['', link]), ''].join('\n'),
    html: `<p><strong>${escaped(title)}</strong></p><p>${escaped(text)}</p><table>${rows.join('')}</table>${linked}`,
  };
}
