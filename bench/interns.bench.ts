// npm run bench:interns -- --creates 2000
// Measures how many interns are created per second over HTTP with `provision: false`. For comparison, measures a plain
// INSERT of the same rows in one statement, on the same PostgreSQL.
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LEDGER_SQL } from '../src/billing/ledger-sql.js';
import { ApiKeys } from '../src/auth/api-keys.js';
import { Config } from '../src/config/config.js';
import { startEmbeddedPostgres } from '../src/database/embedded-postgres.js';
import { DatabaseUrls } from '../src/database/database-urls.js';
import { migrate } from '../src/database/migrate.js';
import { Sql } from '../src/database/sql.js';
import { AdapterRegistry } from '../src/inference/adapter-registry.js';
import { startService } from '../src/service.js';
import { Accounts } from '../src/tenancy/accounts.js';
import { readOptions } from './read-options.js';

const options = readOptions(
  'Measures creations of interns per second over HTTP, with provision false, and a plain INSERT of the same rows.',
  {
    creates: { default: '2000', what: 'number of interns to create' },
    callers: { default: '8', what: 'concurrent callers' },
  },
);
const creates = Number(options.creates);
const callers = Number(options.callers);

const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir: folder, log: () => undefined });
await migrate(postgres.url, LEDGER_SQL);
const config = Config.read({
  PORT: '0',
  DATA_DIR: folder,
  DATABASE_URL: postgres.url,
  MASTER_KEY: randomBytes(32).toString('hex'),
  LOG_LEVEL: 'error',
  INTERN_RUNTIME: 'none',
  INTERN_LIMIT_PER_MEMBER: '1000000',
});
const service = await startService({
  config,
  urls: new DatabaseUrls(postgres.url),
  adapters: new AdapterRegistry({}),
});
const sql = new Sql(postgres.url, callers);

/** Runs `act` the given number of times with concurrent callers; returns the rate and the times of single calls. */
async function measure(
  total: number,
  act: (caller: number, call: number) => Promise<void>,
): Promise<{ perSecond: number; p50: number; p99: number }> {
  const times: number[] = [];
  let next = 0;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      for (let call = next++; call < total; call = next++) {
        const at = performance.now();
        await act(caller, call);
        times.push(performance.now() - at);
      }
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  times.sort((a, b) => a - b);
  const at = (share: number): number => Number(times[Math.floor(times.length * share)]!.toFixed(1));
  return { perSecond: Math.round(total / seconds), p50: at(0.5), p99: at(0.99) };
}

try {
  const accounts = service.app.get(Accounts, { strict: false });
  const keys = service.app.get(ApiKeys, { strict: false });
  const { account, workspace } = await accounts.create('Bench');
  const members = await Promise.all(
    Array.from({ length: callers }, async () => {
      const user = await accounts.createUser('Bench', null);
      await accounts.addMember(account.id, user.id, 'developer', true);
      return {
        userId: user.id,
        key: (
          await keys.issue({
            accountId: account.id,
            workspaceId: workspace.id,
            keyClass: 'standard',
            name: 'bench',
            creatorUserId: user.id,
          })
        ).secret,
      };
    }),
  );
  const create = async (caller: number, call: number): Promise<void> => {
    const answer = await fetch(`${service.origin}/api/v1/interns`, {
      method: 'POST',
      headers: { authorization: `Bearer ${members[caller]!.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `intern-${call}`, description: 'A bench intern', instructions: 'x'.repeat(500) }),
    });
    if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`);
    await answer.arrayBuffer();
  };
  const insert = async (caller: number, call: number): Promise<void> => {
    await sql.query(
      `with i as (insert into intern (id, account_id, workspace_id, creator_user_id, name, description,
         instructions, status, vault_id, loss_acknowledged, fence, attempts, created_at, updated_at)
           values ($1, $2, $3, $4, $5, 'A bench intern', $6, 'stopped', $7, false, 0, 0, now(), now())),
         c as (insert into intern_creation (creator_user_id, workspace_id, key_hash, fingerprint, intern_id,
             fence, lease_until, completed_at, created_at)
             values ($4, $3, $8, $8, $1, 1, now(), now(), now())),
         d as (insert into data_key (id, master_key_id, wrapped, created_at)
             select $9, id, $10, now() from master_key where state = 'current'),
         v as (insert into vault (id, workspace_id, intern_id, data_key_id, created_at)
             values ($7, $3, $1, $9, now()))
       insert into audit_entry (at, account_id, actor, action, resource_kind, resource_id)
         values (now(), $2, 'key', 'create', 'intern', $1::text)`,
      [
        randomUUID(),
        account.id,
        workspace.id,
        members[caller]!.userId,
        `bare-${call}`,
        'x'.repeat(500),
        randomUUID(),
        randomBytes(32).toString('hex'),
        randomUUID(),
        randomBytes(76),
      ],
    );
  };
  await measure(Math.min(200, creates), (caller, call) => create(caller, call + 1_000_000));
  console.table({
    'POST /interns, provision false': await measure(creates, create),
    'bare INSERT of the same rows': await measure(creates, insert),
  });
} finally {
  await service.stop();
  await sql.close();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
