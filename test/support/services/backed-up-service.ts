import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { KeyDirectory } from '../../../src/auth/key-directory.js';
import type { Sql } from '../../../src/database/sql.js';
import type { Principal } from '../../../src/kernel/principal.js';
import { CredentialDirectory } from '../../../src/secrets/credential-directory.js';
import { hashOfKey } from '../../../src/auth/key-secret.js';
import { makeKey, makeWorkspace } from '../api/api-builders.js';
import { TEST_API_KEY, type TestService } from './test-service.js';

export const masterKeyId = (hex: string): string =>
  createHash('sha256').update(Buffer.from(hex, 'hex')).digest('hex').slice(0, 16);
export const OWN_CREDENTIAL = 'sk-own-credential-0123456789-AbCd';

/** Creates one resource of each kind that a backup must contain. Returns the secret of a key. */
export async function fillService(service: TestService): Promise<string> {
  const { key: madeKey } = await makeKey(service.management, { name: 'Made', limit: 5, limit_reset: 'monthly' });
  await service.sql.query('update api_key set name = $1 where name = $2', [
    'Tab\tand\nline\n\\.\nünd \u{1F511}',
    'Made',
  ]);
  const gone = (await makeKey(service.management, { name: 'Deleted' })).hash;
  await service.management.delete(`/keys/${gone}`);
  await service.management.post('/byok', { json: { provider: 'openai', key: OWN_CREDENTIAL } });
  await service.management.post('/byok', { json: { provider: 'groq', key: OWN_CREDENTIAL, workspace_id: null } });
  await makeWorkspace(service.management, { name: 'Second', slug: 'second' });
  return madeKey;
}

const callerOf = async (running: TestService, key: string): Promise<Principal> =>
  (await running.app.get(KeyDirectory, { strict: false }).find(hashOfKey(key)))!.principal;
export const openCredential = async (running: TestService, provider = 'openai'): Promise<string> => {
  const directory = running.app.get(CredentialDirectory, { strict: false });
  const caller = await callerOf(running, TEST_API_KEY);
  const [credential] = await directory.forCall(caller, provider, 'any/model');
  return (await directory.open(credential!.id, caller)).reveal();
};

/** The backup in the format of an earlier version, without master keys in the header. */
export function withoutMasterKeys(text: string): Buffer {
  const [header = ''] = text.split('\n', 1);
  const { masterKeys: _, ...older } = JSON.parse(header) as { masterKeys: string[] };
  const changed = JSON.stringify(older) + text.slice(header.length);
  const trailerAt = changed.lastIndexOf('\n', changed.length - 2) + 1;
  const sha256 = createHash('sha256').update(changed.slice(0, trailerAt), 'latin1').digest('hex');
  const trailer = JSON.stringify({ ...(JSON.parse(changed.slice(trailerAt)) as object), sha256 });
  return gzipSync(Buffer.from(`${changed.slice(0, trailerAt)}${trailer}\n`, 'latin1'));
}

/** A secret as text, in hexadecimal and in base64. */
export const formsOf = (secret: string): string[] => [
  secret,
  Buffer.from(secret).toString('hex'),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
];

/** The message of a restore if the backup's master key is missing and `found` is available. */
export const refusalWithout = (masterKey: string, found: string): RegExp =>
  new RegExp(
    `needs the master key with the id ${masterKeyId(masterKey)}, and ${found}: ` +
      `put the missing key there first.*nothing was changed$`,
  );

export const latestAudit = (sql: Sql, count: number): Promise<{ action: string; resource_id: string }[]> =>
  sql.query(`select action, resource_id from audit_entry order by id desc limit ${count}`);
