import { VARIABLES, type Variable } from './variables.js';

const TABLE = Object.entries(VARIABLES as Record<string, Variable<unknown>>);

/** The text of docs/configuration.md; a test holds the file to it, `npm run docs` writes it. */
export function configurationPage(): string {
  const rows = TABLE.map(
    ([name, variable]) =>
      `| \`${name}\` | ${variable.default === undefined ? '–' : `\`${variable.default}\``} | ${variable.doc}${variable.secret ? ' **Secret.**' : ''} |`,
  );
  return [
    '# Configuration',
    '',
    "The service and the operator's command line read these environment variables once, at start. A bad value ends the start with one line that names the",
    'variable and what it must be, never the value. An empty variable counts as absent. This page is written from `src/config/variables.ts` by `npm run docs`.',
    '',
    '| variable | default | meaning |',
    '|---|---|---|',
    ...rows,
    '',
    '## Providers',
    '',
    'A provider of the catalogue that needs a credential takes it from `<SLUG>_API_KEY`, the slug in capitals with underscores, and another address from',
    '`<SLUG>_BASE_URL`: for `openai` these are `OPENAI_API_KEY` and `OPENAI_BASE_URL`. Models of a provider without a credential stay listed; calling one says',
    'which variable is missing.',
    '',
  ].join('\n');
}

/** The text of .env.example: every variable, commented out, with its default. */
export function environmentExample(): string {
  const blocks = TABLE.map(([name, variable]) => `# ${variable.doc}\n#${name}=${variable.default ?? ''}`);
  return `# Every variable Gatehouse reads, with its default. See docs/configuration.md.\n\n${blocks.join('\n\n')}\n`;
}
