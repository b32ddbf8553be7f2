import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Config, ConfigError } from './config.js';

const CORP = {
  OIDC_PROVIDERS: 'corp',
  OIDC_CORP_ISSUER: 'https://id.example/realms/corp',
  OIDC_CORP_CLIENT_ID: 'gatehouse',
  OIDC_CORP_CLIENT_SECRET: 'the-secret-of-corp',
};

const read = (more: Readonly<Record<string, string>> = {}): Config => Config.read({ ...CORP, ...more });

describe('the variables of identity providers', () => {
  it('define no provider by default, and members sign in with keys', () => {
    const { identityProviders, values } = Config.read({});
    expect([identityProviders, values.LOCAL_SIGN_IN]).toEqual([[], 'on']);
  });

  it('have defaults except for issuer and client', () => {
    const [corp] = read().identityProviders;
    expect(corp).toMatchObject({
      name: 'corp',
      label: 'corp',
      issuer: 'https://id.example/realms/corp',
      clientId: 'gatehouse',
      scopes: ['openid', 'email', 'profile'],
      groupsClaim: ['groups'],
      roles: [],
      domains: [],
      defaultRole: undefined,
      accountId: undefined,
    });
    expect(corp!.clientSecret.reveal()).toBe('the-secret-of-corp');
    expect(JSON.stringify(corp)).not.toContain('the-secret');
  });

  it('keep the slash at the end of an issuer, because an issuer without the slash is a different issuer', () => {
    expect(read({ OIDC_CORP_ISSUER: 'https://id.example/' }).identityProviders[0]!.issuer).toBe('https://id.example/');
  });

  it('map groups to roles and workspaces', () => {
    const ROLES = 'gw-ops=admin, a=b=developer@team-a@team-b:admin ,gw-dev=viewer@team-c:member';
    expect(read({ OIDC_CORP_ROLES: ROLES }).identityProviders[0]!.roles).toEqual([
      { group: 'gw-ops', role: 'admin', workspaces: [] },
      {
        group: 'a=b',
        role: 'developer',
        workspaces: [
          { slug: 'team-a', role: 'member' },
          { slug: 'team-b', role: 'admin' },
        ],
      },
      { group: 'gw-dev', role: 'viewer', workspaces: [{ slug: 'team-c', role: 'member' }] },
    ]);
  });

  it('have an underscore for a hyphen in the name of the provider', () => {
    const config = Config.read({
      OIDC_PROVIDERS: 'corp,corp-two',
      OIDC_CORP_ISSUER: 'https://one.example',
      OIDC_CORP_CLIENT_ID: 'a',
      OIDC_CORP_CLIENT_SECRET: 'b',
      OIDC_CORP_TWO_ISSUER: 'https://two.example',
      OIDC_CORP_TWO_CLIENT_ID: 'a',
      OIDC_CORP_TWO_CLIENT_SECRET: 'b',
    });
    expect(config.identityProviders.map(({ issuer }) => issuer)).toEqual([
      'https://one.example',
      'https://two.example',
    ]);
  });

  it('take the secret from a file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-secret-'));
    try {
      const file = join(folder, 'secret');
      writeFileSync(file, 'from-a-file\n');
      const of = (path: string): Config => read({ OIDC_CORP_CLIENT_SECRET: '', OIDC_CORP_CLIENT_SECRET_FILE: path });
      expect(of(file).identityProviders[0]!.clientSecret.reveal()).toBe('from-a-file');
      expect(() => of(join(folder, 'none'))).toThrow('OIDC_CORP_CLIENT_SECRET_FILE cannot be read (ENOENT)');
      writeFileSync(file, '\n');
      expect(() => of(file)).toThrow('OIDC_CORP_CLIENT_SECRET_FILE must be the path of a file that holds the secret');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it.each([
    [{ OIDC_PROVIDERS: 'Corp' }, 'OIDC_PROVIDERS must be different names'],
    [{ OIDC_PROVIDERS: 'corp,corp' }, 'OIDC_PROVIDERS must be different names'],
    [{ OIDC_CORP_ISSUER: '' }, 'OIDC_CORP_ISSUER is missing'],
    [{ OIDC_CORP_CLIENT_ID: '' }, 'OIDC_CORP_CLIENT_ID is missing'],
    [{ OIDC_CORP_ISSUER: 'http://id.example' }, 'OIDC_CORP_ISSUER must be an https:// URL'],
    [{ OIDC_CORP_ISSUER: 'https://id.example/?a=b' }, 'OIDC_CORP_ISSUER must be an https:// URL'],
    [{ OIDC_CORP_CLIENT_SECRET: '' }, 'OIDC_CORP_CLIENT_SECRET or OIDC_CORP_CLIENT_SECRET_FILE: give one of them'],
    [{ OIDC_CORP_CLIENT_SECRET_FILE: '/x' }, 'OIDC_CORP_CLIENT_SECRET or OIDC_CORP_CLIENT_SECRET_FILE: give one'],
    [{ OIDC_CORP_LABEL: 'x'.repeat(61) }, 'OIDC_CORP_LABEL must be at most 60 characters'],
    [{ OIDC_CORP_SCOPES: 'email' }, 'OIDC_CORP_SCOPES must be scopes separated by spaces, openid among them'],
    [{ OIDC_CORP_GROUPS_CLAIM: 'groups' }, 'OIDC_CORP_GROUPS_CLAIM must be a JSON pointer'],
    [{ OIDC_CORP_ROLES: 'gw-dev=king' }, 'OIDC_CORP_ROLES must be mappings to one of the roles owner, admin'],
    [{ OIDC_CORP_ROLES: 'gw-dev' }, 'OIDC_CORP_ROLES must be entries such as group=role'],
    [{ OIDC_CORP_ROLES: 'a=developer@team:owner' }, 'OIDC_CORP_ROLES must be mappings with workspaces such as'],
    [{ OIDC_CORP_DOMAINS: 'https://x' }, 'OIDC_CORP_DOMAINS must be a host name'],
    [
      { OIDC_CORP_DEFAULT_ROLE: 'owner', OIDC_CORP_DOMAINS: 'a.example' },
      'OIDC_CORP_DEFAULT_ROLE must be one of admin',
    ],
    [{ OIDC_CORP_DEFAULT_ROLE: 'viewer' }, 'OIDC_CORP_DEFAULT_ROLE needs OIDC_CORP_DOMAINS'],
    [{ OIDC_CORP_ACCOUNT: 'first' }, 'OIDC_CORP_ACCOUNT must be the id of an account'],
    [{ OIDC_CORP_DOMAIN: 'a.example' }, 'OIDC_CORP_DOMAIN is not a variable of an identity provider'],
    [{ LOCAL_SIGN_IN: 'off' }, 'LOCAL_SIGN_IN must be one of on, link'],
  ])(
    'prevent the start if they are invalid, with a message that names the variable and no value: %j',
    (more, message) => {
      const wrong = (): Config => read(more);
      expect(wrong).toThrow(ConfigError);
      expect(wrong).toThrow(message);
      expect(wrong).not.toThrow(/the-secret|king/);
    },
  );
});
