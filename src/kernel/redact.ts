const MASK = '[redacted]';
/** What ends a value in a line of a log, in JSON, in a header or in a query. ESC begins a colour. */
const VALUE = String.raw`[^\s"'\`,;&<>{}\u001b]+`;
/** Not in the middle of a word, unless that is the end of a colour. It also keeps the work linear: a long word is looked at once. */
const START = String.raw`(?:(?<![\w-])|(?<=\u001b\[\d{1,3}m))`;

const rule = (pattern: string, mask: string, flags = 'gi'): readonly [RegExp, string] => [
  new RegExp(START + pattern, flags),
  mask,
];

/** Pattern → what takes its place. Order matters: our own keys keep their label before the general rule would take them whole. */
const RULES = [
  // Our keys, to the form of their label.
  rule(String.raw`(sk-gh-v1-)([0-9a-f]{3})[0-9a-f]{57}([0-9a-f]{4})(?![\w-])`, '$1$2...$3', 'g'),
  rule(String.raw`-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)`, MASK, 'g'),
  // Headers and JSON members whose whole value is a credential; a scheme such as Bearer stays readable.
  rule(
    String.raw`((?:proxy-)?authorization|(?:set-)?cookie|x-api-key|api-key)(["']?\s*[:=]\s*["']?)((?:basic|bearer|digest|key|token)\s+)?${VALUE}`,
    `$1$2$3${MASK}`,
  ),
  rule(String.raw`(bearer|basic)(\s+)(?!\[redacted\])[\w.~+/=-]{8,}`, `$1$2${MASK}`),
  // A password in a URL, up to the last @ of its authority.
  rule(String.raw`([a-z][a-z0-9+.-]{0,30}:\/\/[^\s:/@?#]*):[^\s/?#]*@`, `$1:${MASK}@`),
  // Members and parameters that are named for a secret.
  rule(
    String.raw`((?:[\w-]{0,80}[_-])?(?:api[_-]?key|access[_-]?key|master[_-]?key|secret|password|passwd|token|signature))(["']?\s*[:=]\s*["']?)(?!\[redacted\])${VALUE}`,
    `$1$2${MASK}`,
  ),
  // Tokens that tell by their form what they are.
  rule(String.raw`(?:sk|pk|rk|ak|xai|gsk|ghp|gho|glpat|hf|key|r8|fal)[-_][A-Za-z0-9_-]{16,}`, MASK, 'g'),
  rule(String.raw`(?:(?:AKIA|ASIA)[0-9A-Z]{16}(?![\w-])|AIza[\w-]{35}|ey[JI][\w-]{8,}\.[\w-]{8,}\.[\w-]*)`, MASK, 'g'),
];

/** Masks whatever looks like a credential, for logs and for messages that may quote a caller or a vendor. Masked text stays as it is. */
export function redact(text: string): string {
  return RULES.reduce((line, [pattern, mask]) => line.replace(pattern, mask), text);
}
