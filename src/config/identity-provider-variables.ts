import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ROLES, type Role, type WorkspaceRole } from '../kernel/access/permissions.js';
import { isUuid } from '../kernel/ids.js';
import { SecretValue } from '../kernel/secret-value.js';
import {
  hostnames,
  listOf,
  matching,
  must,
  oneOf,
  text,
  textThat,
  readVariable,
  type Environment,
  type Variable,
} from './schemas.js';

/** The rights of the members of an identity provider's group. */
export interface GroupMapping {
  readonly group: string;
  readonly role: Role;
  /** Workspaces by slug. */
  readonly workspaces: readonly { readonly slug: string; readonly role: WorkspaceRole }[];
}

/** An identity provider as configured by the variables. */
export interface IdentityProvider {
  /** The name in OIDC_PROVIDERS. It is part of the paths for the provider, such as `/console/oidc/<name>/start`. */
  readonly name: string;
  readonly label: string;
  /** Compared literally, including a trailing slash. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: SecretValue;
  readonly scopes: readonly string[];
  /** The names of the nested members that lead to the groups in the claims. */
  readonly groupsClaim: readonly string[];
  readonly roles: readonly GroupMapping[];
  /** Domains of accepted e-mail addresses, in lower case. */
  readonly domains: readonly string[];
  readonly defaultRole: Role | undefined;
  /** The account that members join; undefined = the first account. */
  readonly accountId: string | undefined;
}

const MAX_LABEL_CHARACTERS = 60;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

const issuer = textThat((value) => {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isPlain = url?.protocol === 'http:' && LOOPBACK.has(url.hostname);
  return (url?.protocol === 'https:' || isPlain) && !/[?#@\s]/.test(value);
}, 'an https:// URL (http:// on loopback only) without query, fragment or user, exactly the issuer of the provider');

const label = textThat(
  (value) => [...value].length <= MAX_LABEL_CHARACTERS,
  `at most ${MAX_LABEL_CHARACTERS} characters`,
);

const scopes = matching(
  /^(?=(.*\s)?openid(\s|$))[\x21-\x7e\s]+$/s,
  'scopes separated by spaces, openid among them',
).transform((value): readonly string[] => value.split(/\s+/));

/** A JSON pointer (RFC 6901), parsed to member names. */
const jsonPointer = matching(
  /^(\/([^~/]|~[01])+)+$/,
  'a JSON pointer such as /groups, with ~1 for a slash in a name',
).transform((value): readonly string[] =>
  value
    .slice(1)
    .split('/')
    .map((member) => member.replaceAll('~1', '/').replaceAll('~0', '~')),
);

const workspaceMapping = matching(
  /^\s*[a-z0-9]+(-[a-z0-9]+)*\s*(:\s*(admin|member)\s*)?$/,
  'mappings with workspaces such as @team-a, @team-a:admin or @team-a:member',
).transform((place) => {
  const [slug, role = 'member'] = place.split(':').map((part) => part.trim());
  return { slug: slug!, role: role as WorkspaceRole };
});

/** `group=role`, followed by any number of `@workspace` or `@workspace:admin`. The last `=` is the separator. */
const groupMapping = matching(
  /\S.*=[^=]*$/s,
  'entries such as group=role or group=role@workspace:admin, separated by commas',
)
  .transform((entry) => {
    const at = entry.lastIndexOf('=');
    const [role = '', ...workspaces] = entry.slice(at + 1).split('@');
    return { group: entry.slice(0, at).trim(), role: role.trim(), workspaces };
  })
  .pipe(
    z.object({
      group: text,
      role: z.enum(ROLES, must(`mappings to one of the roles ${ROLES.join(', ')}`)),
      workspaces: z.array(workspaceMapping),
    }),
  );

/** The variables of one provider, without the prefix `OIDC_<NAME>_`. */
export const PROVIDER_VARIABLES = {
  ISSUER: {
    schema: issuer,
    doc: 'The issuer of the provider, exactly as in its discovery document, including a slash at the end. Required.',
  },
  CLIENT_ID: { schema: text, doc: 'The client id of this service at the provider. Required.' },
  CLIENT_SECRET: {
    schema: text,
    secret: true,
    doc: 'The secret of the client. This or CLIENT_SECRET_FILE is required.',
  },
  CLIENT_SECRET_FILE: { schema: text, doc: 'A file that holds the secret of the client.' },
  LABEL: { schema: label, doc: 'The text of the button on the sign-in page. Default: the name of the provider.' },
  SCOPES: { schema: scopes, default: 'openid email profile', doc: 'The scopes that are requested.' },
  GROUPS_CLAIM: {
    schema: jsonPointer,
    default: '/groups',
    doc: 'A JSON pointer to the groups in the claims, such as /groups or /realm_access/roles.',
  },
  ROLES: {
    schema: listOf(groupMapping),
    default: '',
    doc:
      'The roles and workspaces of groups, separated by commas: ' +
      '`gw-ops=admin,gw-dev=developer@team-a@team-b:admin`. A member gets the highest role and all ' +
      'workspaces of their groups. If it is set, groups are evaluated at each sign-in.',
  },
  DOMAINS: {
    schema: hostnames,
    default: '',
    doc:
      'Domains whose verified addresses are accepted, separated by commas. Absent: addresses are not used ' +
      'to find or to add a member.',
  },
  DEFAULT_ROLE: {
    schema: oneOf(...ROLES.slice(1)),
    doc:
      'The role of people whose address is in DOMAINS and who are in no listed group. Absent: they need an ' +
      'invitation or a group.',
  },
  ACCOUNT: {
    schema: textThat(isUuid, 'the id of an account').toLowerCase(),
    doc: 'The account whose members sign in. Default: the first one.',
  },
} as const satisfies Record<string, Variable<unknown>>;

type Table = typeof PROVIDER_VARIABLES;
type Suffix = keyof Table;

/** The prefix of a provider's variables: its name in capitals, with underscores. */
export const prefixOf = (name: string): string => `OIDC_${name.toUpperCase().replaceAll('-', '_')}_`;

/** Reads the variables of the providers. Adds errors, which begin with the name of the variable, to `problems`. */
export function readIdentityProviders(
  names: readonly string[],
  environment: Environment,
  problems: string[],
): readonly IdentityProvider[] {
  const suffixes = Object.keys(PROVIDER_VARIABLES);
  const known = new Set(names.flatMap((name) => suffixes.map((suffix) => prefixOf(name) + suffix)));
  for (const [variable, value] of Object.entries(environment))
    if (value?.trim() && names.some((name) => variable.startsWith(prefixOf(name))) && !known.has(variable))
      problems.push(`${variable} is not a variable of an identity provider`);
  return names.map((name) => readProvider(name, environment, problems));
}

function readProvider(name: string, environment: Environment, problems: string[]): IdentityProvider {
  const prefix = prefixOf(name);
  const value = <S extends Suffix>(suffix: S) => {
    const variable: Variable<unknown> = PROVIDER_VARIABLES[suffix];
    return readVariable(variable, prefix + suffix, environment, problems) as z.output<Table[S]['schema']> | undefined;
  };
  const required = (suffix: 'ISSUER' | 'CLIENT_ID'): string => {
    if (!environment[prefix + suffix]?.trim()) problems.push(`${prefix}${suffix} is missing`);
    return value(suffix) ?? '';
  };
  const domains = value('DOMAINS') ?? [];
  const defaultRole = value('DEFAULT_ROLE');
  if (defaultRole !== undefined && domains.length === 0)
    problems.push(`${prefix}DEFAULT_ROLE needs ${prefix}DOMAINS, whose verified addresses get the role`);
  return {
    name,
    label: value('LABEL') ?? name,
    issuer: required('ISSUER'),
    clientId: required('CLIENT_ID'),
    clientSecret: readSecret(prefix, value('CLIENT_SECRET'), value('CLIENT_SECRET_FILE'), problems),
    scopes: value('SCOPES') ?? [],
    groupsClaim: value('GROUPS_CLAIM') ?? [],
    roles: value('ROLES') ?? [],
    domains,
    defaultRole,
    accountId: value('ACCOUNT'),
  };
}

function readSecret(
  prefix: string,
  secret: string | undefined,
  file: string | undefined,
  problems: string[],
): SecretValue {
  if ((secret === undefined) === (file === undefined)) {
    problems.push(`${prefix}CLIENT_SECRET or ${prefix}CLIENT_SECRET_FILE: give one of them`);
    return new SecretValue('');
  }
  if (secret !== undefined) return new SecretValue(secret);
  try {
    const content = readFileSync(file!, 'utf8').trim();
    if (content === '') throw new Error('must be the path of a file that holds the secret: it is empty');
    return new SecretValue(content);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    problems.push(`${prefix}CLIENT_SECRET_FILE ${code === undefined ? message : `cannot be read (${code})`}`);
    return new SecretValue('');
  }
}
