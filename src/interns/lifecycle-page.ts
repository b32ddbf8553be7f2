import { REQUESTS, TRANSITIONS } from './lifecycle.js';

const code = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(', ');

/** The text of docs/intern-lifecycle.md; a test holds the file to it, `npm run docs` writes it. */
export function lifecyclePage(): string {
  const rows = TRANSITIONS.map(({ from, event, to, note }) => {
    const who = (REQUESTS as readonly string[]).includes(event) ? 'caller' : 'worker';
    return `| ${code(from)} | ${who}: ${event} | ${to === 'same' ? 'unchanged' : to === 'gone' ? 'gone' : `\`${to}\``} | ${note} |`;
  });
  return [
    '# The life of an intern',
    '',
    'Printed from `src/interns/lifecycle.ts` by `npm run docs`. A new intern begins as `stopped` (or `awaiting_chat_install` where INTERN_CHAT_INSTALL_REQUIRED',
    'is set), and as `queued` when it is created with `provision: true`. A request in a status that has no row here answers 409 `intern_busy` and changes',
    'nothing; a report of a worker without a row changes nothing either.',
    '',
    '| from | event | to | |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
