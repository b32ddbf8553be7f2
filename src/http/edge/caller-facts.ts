import type { IncomingHttpHeaders } from 'node:http';
import type { CallFacts } from '../../kernel/call-facts.js';
import { redact } from '../../kernel/text/redact.js';

/**
 * The length up to which a header is read. It is longer than the text that is kept, so that a secret that begins in the
 * kept text is masked completely.
 */
const MAX_READ_LENGTH = 1_024;

/**
 * Facts about the caller from the headers of a call. They are recorded with the call, but not as labels, because
 * callers choose these texts freely. `session` takes precedence over the header X-Session-Id.
 */
export const callerFacts = (headers: IncomingHttpHeaders, session?: string | null): CallFacts => ({
  sessionId: session ?? textOf(headers['x-session-id']),
  userAgent: plain(headers['user-agent']),
  httpReferer: plain(headers['http-referer'] ?? headers.referer),
  title: plain(headers['x-openrouter-title'] ?? headers['x-title']),
  categories: plain(headers['x-openrouter-categories']),
});

const textOf = (header: string | string[] | undefined): string | undefined =>
  (Array.isArray(header) ? header[0] : header)?.trim() || undefined;

/** Labels of usage: the name and the site of the calling application. */
export interface CallerLabels {
  /** From X-OpenRouter-Title or X-Title, which OpenRouter's clients send. */
  readonly app: string | undefined;
  /** From HTTP-Referer, Referer or Origin. */
  readonly origin: string | undefined;
}

const MAX_LABEL_CHARACTERS = 200;

export const callerLabels = (headers: IncomingHttpHeaders): CallerLabels => ({
  app: plain(headers['x-openrouter-title'] ?? headers['x-title'])?.slice(0, MAX_LABEL_CHARACTERS),
  origin: plain(headers['http-referer'] ?? headers.referer ?? headers.origin)?.slice(0, MAX_LABEL_CHARACTERS),
});

/** The text of a header with secrets masked, because a Referer may be a URL that contains a token. */
function plain(header: string | string[] | undefined): string | undefined {
  const text = textOf(header);
  return text && redact(text.slice(0, MAX_READ_LENGTH));
}
