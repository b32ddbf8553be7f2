const MASK = '[redacted]';
/** A value ends at these characters in a log line, JSON, a header or a query. ESC begins a colour. */
const VALUE = String.raw`[^\s"'\`,;&<>{}\u001b]+`;
/**
 * A match does not begin inside a word, except after a colour sequence. Matching therefore takes linear time, because a
 * long word is scanned only once.
 */
const START = String.raw`(?:(?<![\w-])|(?<=\u001b\[\d{1,3}m))`;

const rule = (pattern: string, mask: string, flags = 'gi'): readonly [RegExp, string] => [
  new RegExp(START + pattern, flags),
  mask,
];

/**
 * Pattern → replacement. The order matters, because a later rule would mask this service's keys without their label.
 */
const RULES = [
  // This service's keys are replaced by their label.
  rule(String.raw`(sk-gh-v1-)([0-9a-f]{3})[0-9a-f]{57}([0-9a-f]{4})(?![\w-])`, '$1$2...$3', 'g'),
  rule(String.raw`-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)`, MASK, 'g'),
  // Headers and JSON members whose whole value is a credential. A scheme such as Bearer stays readable, and so does a
  // placeholder after it.
  rule(
    String.raw`((?:proxy-)?authorization|(?:set-)?cookie|x-api-key|api-key)(["']?\s*[:=]\s*["']?)` +
      String.raw`((?:basic|bearer|digest|key|token)\s+)?(?!(?:basic|bearer|digest|key|token)\s+<)${VALUE}`,
    `$1$2$3${MASK}`,
  ),
  rule(String.raw`(bearer|basic)(\s+)(?!\[redacted\])[\w.~+/=-]{8,}`, `$1$2${MASK}`),
  // A password in a URL, up to the last @ of its authority.
  rule(String.raw`([a-z][a-z0-9+.-]{0,30}:\/\/[^\s:/@?#]*):[^\s/?#]*@`, `$1:${MASK}@`),
  // Members and parameters whose name says that they hold a secret.
  rule(
    String.raw`((?:[\w-]{0,80}[_-])?` +
      String.raw`(?:api[_-]?key|access[_-]?key|master[_-]?key|secret|password|passwd|token|signature))` +
      String.raw`(["']?\s*[:=]\s*["']?)(?!\[redacted\])${VALUE}`,
    `$1$2${MASK}`,
  ),
  // Tokens with a recognisable form.
  rule(String.raw`(?:sk|pk|rk|ak|xai|gsk|ghp|gho|glpat|hf|key|r8|fal)[-_][A-Za-z0-9_-]{16,}`, MASK, 'g'),
  rule(String.raw`(?:(?:AKIA|ASIA)[0-9A-Z]{16}(?![\w-])|AIza[\w-]{35}|ey[JI][\w-]{8,}\.[\w-]{8,}\.[\w-]*)`, MASK, 'g'),
];

/** Longer text is truncated first, because matching takes up to 0.5 ms per KiB. */
const MAX_LENGTH = 32_768;
/** Number of characters removed from the end of truncated text, where a partial secret may not be recognised. */
const CUT_TAIL_LENGTH = 256;

/**
 * Masks everything that looks like a credential, for logs and messages that may quote a caller or a vendor. Idempotent.
 */
export function redact(text: string): string {
  if (text.length <= MAX_LENGTH) return masked(text);
  return `${masked(text.slice(0, MAX_LENGTH)).slice(0, -CUT_TAIL_LENGTH)}… (${text.length} characters in all)`;
}

const masked = (text: string): string => RULES.reduce((line, [pattern, mask]) => line.replace(pattern, mask), text);
