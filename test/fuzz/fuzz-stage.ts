import { createHash } from 'node:crypto';
import { NestFactory } from '@nestjs/core';
import { ApiKeys } from '../../src/auth/api-keys.js';
import { Config } from '../../src/config/config.js';
import { DatabaseUrls } from '../../src/database/database-urls.js';
import { Sql } from '../../src/database/sql.js';
import { OperatorModule } from '../../src/operator/operator.module.js';
import { Accounts } from '../../src/tenancy/accounts.js';
import type { Column } from '../support/api/access-matrix.data.js';
import { eventually } from '../support/eventually.js';
import { OpenApiCheck } from '../support/api/openapi-check.js';
import type { OpenApiDocument } from '../support/api/openapi-document.js';
import { startProbedService, type ProbedService } from '../support/services/probed-service.js';
import { startScriptedVendor, type ScriptedVendor } from '../support/vendors/scripted-vendor.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { TEST_API_KEY, TEST_MANAGEMENT_KEY } from '../support/services/test-service.js';
import type { AccountName, FuzzKey, ThingKind } from './requests/fuzz-request.js';
import { KeyRing } from './key-ring.js';

const VENDOR_CREDENTIAL = 'scripted-credential-of-the-vendor';
const MASTER_KEY = 'a1'.repeat(32);
/** Sessions of the running intern. The first message in a session starts it. */
const SESSIONS = ['s1', 's2', 's3', 's 4/5'];
const OFF = ['INFERENCE', 'MANAGEMENT', 'BENCHMARKS', 'ANALYTICS', 'OTHER', 'FAILED_KEYS', 'COUNTING'];

/** A standard key that can pay for nothing. */
export const PENNILESS_KEY = 'standard with a limit of 0';

/** A service in a separate process, with two accounts, a scripted vendor, and a key of every class. */
export interface FuzzStage {
  readonly service: ProbedService;
  readonly vendor: ScriptedVendor;
  readonly sql: Sql;
  readonly document: OpenApiDocument;
  readonly check: OpenApiCheck;
  readonly keys: KeyRing;
  /** The resources that exist before the first request. */
  readonly things: readonly (readonly [kind: ThingKind, account: AccountName, id: string])[];
  /** Texts that no response may contain. */
  readonly secrets: readonly string[];
  close(): Promise<void>;
}

export async function openFuzzStage(databaseUrl: string): Promise<FuzzStage> {
  const folder = await temporaryFolder();
  const vendor = await startScriptedVendor();
  const env = {
    DATA_DIR: `${folder.path}/data`,
    DATABASE_URL: databaseUrl,
    MASTER_KEY,
    LOG_FORMAT: 'json',
    BOOTSTRAP_CREDITS_USD: '100000000',
    ...Object.fromEntries(
      ['OPENAI', 'ANTHROPIC'].flatMap((name) => [
        [`${name}_API_KEY`, VENDOR_CREDENTIAL],
        [`${name}_BASE_URL`, vendor.baseUrl],
      ]),
    ),
    // The run includes faults of the vendor, which must not open the circuit breaker for all other requests.
    BREAKER_FAILURES: '1000',
    // The database may be slow on a busy machine, which is not a finding.
    DATABASE_TIMEOUT_MS: '30000',
    // Every intern that a run provisions is a process, so limit their number.
    INTERN_LIMIT_PER_MEMBER: '8',
    INTERN_ANSWER_TIMEOUT_MS: '1000',
    ...Object.fromEntries(OFF.map((group) => [`RATE_LIMIT_${group}`, 'off'])),
  };
  const service = await startProbedService(env);
  const sql = new Sql(databaseUrl, 2);
  const { keys, things } = await makeAccounts(service.origin, databaseUrl, env, sql);
  const document = (await (await fetch(`${service.origin}/api/v1/openapi.json`)).json()) as OpenApiDocument;
  return {
    service,
    vendor,
    sql,
    document,
    check: new OpenApiCheck(document),
    keys: new KeyRing(keys),
    things,
    secrets: [VENDOR_CREDENTIAL, MASTER_KEY],
    close: async () => {
      service.kill('SIGTERM');
      await service.exited;
      await sql.close();
      await vendor.close();
      await folder.remove();
    },
  };
}

/** The secret of a key is derived from its name, so that two runs send the same requests. */
const secretOf = (name: string): string => `sk-gh-v1-${createHash('sha256').update(`fuzz ${name}`).digest('hex')}`;

type Made = { readonly keys: FuzzKey[]; readonly things: (readonly [ThingKind, AccountName, string])[] };

async function makeAccounts(
  origin: string,
  databaseUrl: string,
  env: Readonly<Record<string, string>>,
  sql: Sql,
): Promise<Made> {
  const rooms = await NestFactory.createApplicationContext(
    OperatorModule.register(Config.read(env), new DatabaseUrls(databaseUrl)),
    { logger: false },
  );
  try {
    const accounts = rooms.get(Accounts, { strict: false });
    const [first] = await sql.query<{ accountId: string; workspaceId: string; creatorUserId: string }>(
      `select account_id as "accountId", workspace_id as "workspaceId", creator_user_id as "creatorUserId"
       from api_key where key_class = 'management' order by no limit 1`,
    );
    const { account, workspace } = await accounts.create('Second');
    const user = await accounts.createUser('Second owner', null);
    await accounts.addMember(account.id, user.id, 'owner', true);
    await sql.query(
      'update account_balance set granted = 1000000000000000 where account_no = (select no from account where id = $1)',
      [account.id],
    );
    // A developer, not an owner: the last owner cannot be removed, and an admin of all workspaces has no workspace
    // role.
    const colleague = await accounts.createUser('Colleague', null);
    await accounts.addMember(first!.accountId, colleague.id, 'developer', false);
    const second = { accountId: account.id, workspaceId: workspace.id, creatorUserId: user.id };
    const intern = await asked(origin, '/interns', { name: 'first-intern' });
    const talker = await makeTalker(origin);
    const keys: FuzzKey[] = [
      keyOf('standard', TEST_API_KEY, 'first', 'standard'),
      keyOf('management', TEST_MANAGEMENT_KEY, 'first', 'management'),
      { name: 'no key', header: undefined, account: undefined, column: 'no key' },
      keyOf('unknown', secretOf('unknown'), undefined, 'unknown'),
    ];
    const issue = async (
      name: string,
      place: typeof second,
      keyClass: 'standard' | 'management' | 'intern',
      column: Column,
      facts: { expiresAt?: Date; limitNano?: bigint; internId?: string } = {},
    ): Promise<string> => {
      const { key, secret } = await rooms
        .get(ApiKeys, { strict: false })
        .issue({ ...place, keyClass, name, ...facts }, secretOf(name));
      keys.push(keyOf(name, secret, place === second ? 'second' : 'first', column));
      return key.hash;
    };
    // Outside the intern's runtime, its key is treated as an unknown key.
    await issue("the intern's own", first!, 'intern', 'unknown', { internId: intern.id });
    for (const keyClass of ['standard', 'management'] as const) {
      await issue(`expired ${keyClass}`, first!, keyClass, 'expired', { expiresAt: new Date('2020-01-01T00:00:00Z') });
      const disabled = await issue(`disabled ${keyClass}`, first!, keyClass, 'disabled');
      await sql.query('update api_key set disabled = true where hash = $1', [disabled]);
      await issue(`${keyClass} of the second account`, second, keyClass, keyClass);
    }
    await issue(PENNILESS_KEY, first!, 'standard', 'standard', { limitNano: 0n });
    return {
      keys,
      things: [
        // A separate kind, because deleting this intern would delete its key too.
        ['own intern', 'first', intern.id],
        // This intern runs during the whole run, with the built-in model.
        ['running intern', 'first', talker.id],
        ...SESSIONS.map((id) => ['session', 'first', id] as const),
        ['vault', 'first', intern.vault_id],
        ['workspace', 'first', first!.workspaceId],
        ['workspace', 'second', workspace.id],
        ['user', 'first', first!.creatorUserId],
        ['user', 'first', colleague.id],
        ['user', 'second', user.id],
      ],
    };
  } finally {
    await rooms.close();
  }
}

type Intern = { readonly id: string; readonly vault_id: string; readonly status: string };

async function asked(origin: string, path: string, body?: object): Promise<Intern> {
  const headers = { authorization: `Bearer ${TEST_API_KEY}`, 'content-type': 'application/json' };
  const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
  return (await (await fetch(`${origin}/api/v1${path}`, init)).json()) as Intern;
}

async function makeTalker(origin: string): Promise<Intern> {
  const talker = await asked(origin, '/interns', { name: 'talker', provision: true });
  return eventually(async () => {
    const { status } = await asked(origin, `/interns/${talker.id}`);
    if (status !== 'running') throw new Error(`the intern is ${status}`);
    return talker;
  }, 60_000);
}

const keyOf = (name: string, secret: string, account: AccountName | undefined, column: Column): FuzzKey => ({
  name,
  header: `Bearer ${secret}`,
  account,
  column,
});
