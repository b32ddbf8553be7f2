import type { Mutation } from './mutation.js';

export const AUTH: readonly Mutation[] = [
  {
    name: 'disabled-key-admitted',
    file: 'src/auth/refuse-unusable.ts',
    text: "if (disabled) throw unauthenticated('This API key is disabled');",
    replacement: '',
    tests: ['test/e2e/keys/keys.e2e-spec.ts', 'test/e2e/edge/edge-keys.e2e-spec.ts'],
  },
  {
    name: 'expired-key-admitted',
    file: 'src/auth/refuse-unusable.ts',
    text: "if (isPast(expiresAt, now)) throw unauthenticated('This API key has expired');",
    replacement: '',
    tests: ['test/e2e/keys/keys.e2e-spec.ts', 'test/e2e/edge/edge-keys.e2e-spec.ts'],
  },
  {
    name: 'deleted-key-admitted',
    file: 'src/auth/key-directory.ts',
    text: 'where k.deleted_at is null`',
    replacement: 'where true`',
    tests: ['test/e2e/keys/keys.e2e-spec.ts'],
  },
  {
    name: 'class-of-the-key-not-checked',
    file: 'src/auth/access.guard.ts',
    text: '    refuseUnlessAllowed(key.principal, accessClass);\n',
    replacement: '',
    tests: ['test/e2e/accounts/access-matrix.e2e-spec.ts', 'test/e2e/edge/edge-keys.e2e-spec.ts'],
  },
  {
    name: 'key-found-by-a-part-of-its-secret',
    file: 'src/auth/key-secret.ts',
    text: "hash('sha256', secret, 'hex')",
    replacement: "hash('sha256', secret.slice(0, 64), 'hex')",
    tests: ['src/auth/key-secret.spec.ts'],
  },
  {
    name: 'rotated-secret-valid-after-its-grace',
    file: 'src/auth/key-directory.ts',
    text: 'least(k.expires_at, found.expires_at) as expires_at',
    replacement: 'k.expires_at as expires_at',
    tests: ['test/e2e/keys/key-rotation.e2e-spec.ts'],
  },
  {
    name: 'key-of-an-intern-admitted-outside-its-runtime',
    file: 'src/auth/access.guard.ts',
    text: "channel === undefined ? keyClass === 'intern' : internId !== channel",
    replacement: 'channel === undefined ? keyClass === undefined : internId !== channel',
    tests: ['test/e2e/vaults-and-egress/service-channel.e2e-spec.ts', 'test/e2e/interns/intern-keys.e2e-spec.ts'],
  },
  {
    name: 'write-of-another-origin-with-the-session-cookie',
    file: 'src/sessions/session.guard.ts',
    text: '    refuseCrossOrigin(request, this.#publicOrigin);\n',
    replacement: '',
    tests: ['test/e2e/console-session/console-attacks.e2e-spec.ts'],
  },
  {
    name: 'unknown-keys-of-an-address-not-limited',
    file: 'src/auth/failed-keys.ts',
    text: 'return count.allowed\n      ? invalid',
    replacement: 'return count\n      ? invalid',
    tests: ['test/e2e/edge/rate-limits.e2e-spec.ts'],
  },
  {
    name: 'file-of-another-account-found',
    file: 'src/files/stored-files.ts',
    text: `FilterQuery<StoredFile> => ({
  accountId,
  id,`,
    replacement: `FilterQuery<StoredFile> => ({
  ...(accountId === '' ? { accountId } : {}),
  id,`,
    tests: ['test/e2e/files/files.e2e-spec.ts', 'test/e2e/chat-files/foreign-files.e2e-spec.ts'],
  },
  {
    name: 'call-of-another-key-shown',
    file: 'src/auth/api-keys.ts',
    text: 'return no === caller.keyNo;',
    replacement: 'return true;',
    tests: ['test/e2e/chat-money/generations.e2e-spec.ts'],
  },
  {
    name: 'permission-of-the-role-not-asked',
    file: 'src/auth/access.guard.ts',
    text: 'if (rows === null) throw',
    replacement: 'if (rows === undefined) throw',
    tests: ['test/e2e/accounts/roles.e2e-spec.ts'],
  },
  {
    name: 'rows-of-other-members-shown',
    file: 'src/auth/api-keys.ts',
    text: 'if (!only) return { accountId };',
    replacement: 'return { accountId };',
    tests: ['test/e2e/accounts/role-rows.e2e-spec.ts'],
  },
];
