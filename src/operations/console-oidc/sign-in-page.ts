import { STATUS } from '../../kernel/errors/error-status.js';
import type { GatewayError } from '../../kernel/errors/errors.js';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character]!);
/** Marks the commands in a message, which are in backticks, as code. */
const withCommands = (text: string): string => text.replaceAll(/`([^`]*)`/g, '<code>$1</code>');

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:15vh auto;padding:0 1rem;color-scheme:light dark}' +
  'small{opacity:.7}';

/** The page for a failed sign-in: a sentence and a link to continue. `error`: undefined = an internal fault. */
export function signInPage(error: GatewayError | undefined, requestId: string): { status: number; html: string } {
  const status = error ? STATUS[error.kind] : STATUS.internal;
  const message = error?.message ?? 'This service failed. Try again; if it happens again, tell the operator.';
  const html =
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>Sign-in failed · Gatehouse</title><style>${STYLE}</style><h1>You are not signed in</h1>` +
    `<p>${withCommands(escaped(message))}</p><p><a href="/console/">To the sign-in page</a></p>` +
    `<p><small>Request ${escaped(requestId)}</small></p></html>\n`;
  return { status, html };
}
