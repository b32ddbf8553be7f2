import { readFileSync } from 'node:fs';
import { isAbove, isRole, ROLES, type Role, type WorkspaceRole } from '../kernel/access/permissions.js';
import { isUuid } from '../kernel/ids.js';
import { SecretValue } from '../kernel/secret-value.js';
import { hostnames, must, text } from './parsers.js';
import type { Variable } from './variables.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** What a group of the identity provider gives its members. */
export interface GroupMapping {
  readonly group: string;
  readonly role: Role;
  /** Workspaces by slug. */
  readonly workspaces: readonly { readonly slug: string; readonly role: WorkspaceRole }[];
}

/** An identity provider as the variables describe it. */
export interface IdentityProvider {
  /** As in OIDC_PROVIDERS: part of its addresses. */
  readonly name: string;
  readonly label: string;
  /** Compared as it is, a slash at the end included. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: SecretValue;
  readonly scopes: readonly string[];
  /** The members to follow in the claims. */
  readonly groupsClaim: readonly string[];
  readonly roles: readonly GroupMapping[];
  /** Domains of addresses that count, in lower case. */
  readonly domains: readonly string[];
  readonly defaultRole: Role | undefined;
  /** The account of the members; undefined = the first one. */
  readonly accountId: string | undefined;
}

const MAX_LABEL_CHARACTERS = 60;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);
const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;

const issuer = (value: string): string => {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isPlain = url?.protocol === 'http:' && LOOPBACK.has(url.hostname);
  must(
    url !== undefined && (url.protocol === 'https:' || isPlain) && !/[?#@\s]/.test(value),
    'an https:// URL (http:// on loopback only) without query, fragment or user, as the provider spells its issuer',
  );
  return value;
};

const label = (value: string): string => {
  must([...value].length <= MAX_LABEL_CHARACTERS, `at most ${MAX_LABEL_CHARACTERS} characters`);
  return value;
};

const scopes = (value: string): readonly string[] => {
  const words = value.split(/\s+/);
  must(words.includes('openid') && /^[\x21-\x7e\s]+$/.test(value), 'scopes separated by spaces, openid among them');
  return words;
};

/** RFC 6901. */
const jsonPointer = (value: string): readonly string[] => {
  must(/^(\/([^~/]|~[01])+)+$/.test(value), 'a JSON pointer such as /groups, with ~1 for a slash in a name');
  return value
    .slice(1)
    .split('/')
    .map((member) => member.replaceAll('~1', '/').replaceAll('~0', '~'));
};

/** `group=role`, then `@workspace` or `@workspace:admin`, as often as needed. The last `=` counts. */
function groupMapping(entry: string): GroupMapping {
  const at = entry.lastIndexOf('=');
  const [role = '', ...places] = entry.slice(at + 1).split('@');
  const group = entry.slice(0, at).trim();
  must(at > 0 && group !== '', 'entries such as group=role or group=role@workspace:admin, separated by commas');
  must(isRole(role.trim()), `mappings to one of the roles ${ROLES.join(', ')}`);
  const workspaces = places.map((place) => {
    const [slug = '', workspaceRole = 'member', ...rest] = place.split(':').map((part) => part.trim());
    must(
      SLUG.test(slug) && rest.length === 0 && (workspaceRole === 'admin' || workspaceRole === 'member'),
      'mappings with workspaces such as @team-a, @team-a:admin or @team-a:member',
    );
    return { slug, role: workspaceRole as WorkspaceRole };
  });
  return { group, role: role.trim() as Role, workspaces };
}

const groupMappings = (value: string): readonly GroupMapping[] =>
  value
    .split(',')
    .filter((entry) => entry.trim() !== '')
    .map((entry) => groupMapping(entry));

const roleOfEverybody = (value: string): Role => {
  must(isRole(value) && isAbove('owner', value), `one of ${ROLES.slice(1).join(', ')}`);
  return value as Role;
};

const uuid = (value: string): string => {
  must(isUuid(value), 'the id of an account');
  return value.toLowerCase();
};

/** The variables of one provider, without `OIDC_<NAME>_`. */
export const PROVIDER_VARIABLES = {
  ISSUER: {
    parse: issuer,
    doc: 'Its issuer, exactly as its discovery document spells it: a slash at the end makes another issuer. Required.',
  },
  CLIENT_ID: { parse: text, doc: 'The id of this service as its client. Required.' },
  CLIENT_SECRET: {
    parse: text,
    secret: true,
    doc: 'The secret of the client. This or CLIENT_SECRET_FILE is required.',
  },
  CLIENT_SECRET_FILE: { parse: text, doc: 'A file that holds the secret of the client.' },
  LABEL: { parse: label, doc: 'The text of its button on the sign-in page. Default: its name.' },
  SCOPES: { parse: scopes, default: 'openid email profile', doc: 'The scopes that are requested.' },
  GROUPS_CLAIM: {
    parse: jsonPointer,
    default: '/groups',
    doc: 'A JSON pointer to the groups in the claims, such as /groups or /realm_access/roles.',
  },
  ROLES: {
    parse: groupMappings,
    default: '',
    doc:
      'What groups give, separated by commas: `gw-ops=admin,gw-dev=developer@team-a@team-b:admin`. The highest role ' +
      'counts, and the workspaces of all. With it, the groups decide at each sign-in.',
  },
  DOMAINS: {
    parse: hostnames,
    default: '',
    doc:
      'Domains whose verified addresses count, separated by commas. Absent: no address is used to find or to make a ' +
      'member.',
  },
  DEFAULT_ROLE: {
    parse: roleOfEverybody,
    doc:
      'The role of people whom no group matches and whose address is of DOMAINS. Absent: they need an invitation or ' +
      'a group.',
  },
  ACCOUNT: { parse: uuid, doc: 'The account whose members sign in. Default: the first one.' },
} as const satisfies Record<string, Variable<unknown>>;

type Table = typeof PROVIDER_VARIABLES;
type Suffix = keyof Table;

/** The beginning of the variables of a provider: its name in capitals, with underscores. */
const prefixOf = (name: string): string => `OIDC_${name.toUpperCase().replaceAll('-', '_')}_`;

/** Reads the variables of the providers; `problems` takes what is wrong, by the names of the variables. */
export function readIdentityProviders(
  names: readonly string[],
  environment: Environment,
  problems: string[],
): readonly IdentityProvider[] {
  const suffixes = Object.keys(PROVIDER_VARIABLES);
  const known = new Set(names.flatMap((name) => suffixes.map((suffix) => prefixOf(name) + suffix)));
  for (const [variable, value] of Object.entries(environment))
    if (value?.trim() && names.some((name) => variable.startsWith(prefixOf(name))) && !known.has(variable))
      problems.push(`${variable} is no variable of an identity provider`);
  return names.map((name) => readProvider(name, environment, problems));
}

function readProvider(name: string, environment: Environment, problems: string[]): IdentityProvider {
  const prefix = prefixOf(name);
  const value = <S extends Suffix>(suffix: S): ReturnType<Table[S]['parse']> | undefined => {
    const variable: Variable<unknown> = PROVIDER_VARIABLES[suffix];
    const given = environment[prefix + suffix]?.trim() || variable.default;
    try {
      return given === undefined ? undefined : (variable.parse(given) as ReturnType<Table[S]['parse']>);
    } catch (error) {
      problems.push(`${prefix}${suffix} ${(error as Error).message}`);
      return undefined;
    }
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
    must(content !== '', 'the path of a file that holds the secret: it is empty');
    return new SecretValue(content);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    problems.push(`${prefix}CLIENT_SECRET_FILE ${code === undefined ? message : `cannot be read (${code})`}`);
    return new SecretValue('');
  }
}
