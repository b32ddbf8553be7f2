import { PROVIDER_VARIABLES } from './identity-provider-variables.js';
import type { Variable } from './schemas.js';
import { VARIABLES } from './variables.js';

type Rows = readonly (readonly [name: string, variable: Variable<unknown>])[];

const TABLE: Rows = Object.entries(VARIABLES);
/** `<NAME>` is a placeholder for the name of a provider. */
const OF_IDENTITY_PROVIDERS: Rows = Object.entries(PROVIDER_VARIABLES).map(
  ([suffix, variable]) => [`OIDC_<NAME>_${suffix}`, variable] as const,
);

/** The text of docs/configuration.md. `npm run docs` writes the file. A test compares the file with this text. */
export function configurationPage(): string {
  return [
    '# Configuration',
    '',
    "The service and the operator's command line read these environment variables once, at start. The " +
      'service does not start with an invalid value: one line names the',
    'variable and says what it must be. It never contains the value. An empty variable counts as absent. ' +
      'This page is written from `src/config/variables.ts` by `npm run docs`.',
    '',
    ...tableOf(TABLE),
    '',
    '## Identity providers',
    '',
    'Each name in `OIDC_PROVIDERS` has its own variables, with the name in capitals and underscores for hyphens: ' +
      '`OIDC_CORP_ISSUER` for `corp`.',
    'The service does not start if a variable with this prefix is not in the table, or if a role, ' +
      'workspace or account does not exist. See [operations/sign-in.md](operations/sign-in.md).',
    '`docker/compose.yaml` does not list them: set them in the `.env` file that it reads.',
    '',
    ...tableOf(OF_IDENTITY_PROVIDERS),
    '',
    '## Providers',
    '',
    '`<SLUG>_API_KEY` is the credential of a provider of the catalogue, and `<SLUG>_BASE_URL` is another ' +
      'address for it. `<SLUG>` is its slug in capitals, with',
    'underscores: for `openai` these are `OPENAI_API_KEY` and `OPENAI_BASE_URL`. Models of a ' +
      'provider without a credential stay listed; calling one returns',
    '404 with the name of the missing variable. GET /models/user lists the models that can be called.',
    '',
    'The credential of some providers is a JSON object, here and in the `key` of POST /byok. POST /byok ' +
      'refuses a credential in another form; a variable with such a credential is named in the log at start.',
    '',
    '| provider | members |',
    '|---|---|',
    '| `amazon-bedrock` | `region`, and `apiKey` or `accessKeyId` with `secretAccessKey` (and `sessionToken`) |',
    '| `google-vertex`, `google-vertex-anthropic` | `project`, `location`, `clientEmail`, `privateKey` |',
    '| `azure` | `apiKey`, and `resourceName` or `baseURL`; a plain key where `AZURE_BASE_URL` is set |',
    '',
  ].join('\n');
}

function tableOf(rows: Rows): string[] {
  const lines = rows.map(([name, variable]) => {
    const byDefault = variable.default === undefined ? '–' : `\`${variable.default}\``;
    return `| \`${name}\` | ${byDefault} | ${variable.doc}${variable.secret ? ' **Secret.**' : ''} |`;
  });
  return ['| variable | default | meaning |', '|---|---|---|', ...lines];
}

/** The text of .env.example: every variable, commented out, with its default. */
export function environmentExample(): string {
  const blocks = [...TABLE, ...OF_IDENTITY_PROVIDERS].map(
    ([name, variable]) => `# ${variable.doc}\n#${name}=${variable.default ?? ''}`,
  );
  return `# Every variable Gatehouse reads, with its default. See docs/configuration.md.\n\n${blocks.join('\n\n')}\n`;
}

const PASSED_ON = /(# Listed without a value:.*\n)(?: {6}[A-Z0-9_]+:\n)*/;

/**
 * Returns the text of docker/compose.yaml with the names of all variables for which it sets no value. Compose passes
 * the listed variables to the container.
 */
export function composeFile(text: string): string {
  const set = new Set([...text.matchAll(/^ {6}([A-Z0-9_]+): \S/gm)].map(([, name]) => name!));
  const names = TABLE.map(([name]) => name).filter((name) => !set.has(name));
  return text.replace(PASSED_ON, (_all, remark: string) => remark + names.map((name) => `      ${name}:\n`).join(''));
}
