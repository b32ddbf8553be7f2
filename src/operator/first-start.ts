import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { access, chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiKeys } from '../auth/api-keys.js';
import { Balances } from '../billing/balances.js';
import { Config } from '../config/config.js';
import { Sql } from '../database/sql.js';
import { hashOfKey, newKeySecret } from '../auth/key-secret.js';
import { usdToNano } from '../kernel/money.js';
import { Accounts } from '../tenancy/accounts.js';

/** Any number that nothing else in the database uses for an advisory lock. */
const FIRST_START_LOCK = 7_246_012;

export interface StartKey {
  /** How the owner gets the key into a command line: a file to read, or the variable it was given in. */
  readonly shellExpression: string;
  /** Set only when the key was made right now: shown once. */
  readonly madeNow: string | null;
}

export interface StartKeys {
  readonly management: StartKey;
  readonly standard: StartKey;
}

const KEYS = {
  management: { variable: 'BOOTSTRAP_MANAGEMENT_KEY', file: 'management-key', name: 'Bootstrap management key' },
  standard: { variable: 'BOOTSTRAP_API_KEY', file: 'api-key', name: 'Bootstrap API key' },
} as const;

/** Makes the first account, its owner, two keys and the first credits, once. */
@Injectable()
export class FirstStart {
  constructor(
    private readonly config: Config,
    private readonly accounts: Accounts,
    private readonly keys: ApiKeys,
    private readonly balances: Balances,
    private readonly sql: Sql,
  ) {}

  async ensure(): Promise<StartKeys> {
    return this.sql.transaction(async (session) => {
      // Replicas that start together take turns.
      await session.query('select pg_advisory_xact_lock($1)', [FIRST_START_LOCK]);
      const [first] = await this.accounts.list();
      return first ? this.#later(first.id) : this.#first();
    });
  }

  async #first(): Promise<StartKeys> {
    const { account, workspace } = await this.accounts.create('Default');
    const owner = await this.accounts.createUser('Owner', null);
    await this.accounts.addMember(account.id, owner.id, 'owner', true);
    await this.balances.grant({
      accountNo: account.no,
      amount: usdToNano(this.config.values.BOOTSTRAP_CREDITS_USD),
      kind: 'grant',
      reason: 'First credits (BOOTSTRAP_CREDITS_USD)',
      idempotencyId: `bootstrap-${randomUUID()}`,
    });
    const place = { accountId: account.id, workspaceId: workspace.id, creatorUserId: owner.id };
    return { management: await this.#firstKey('management', place), standard: await this.#firstKey('standard', place) };
  }

  /** A key that the environment names and the database has never seen is issued on a later start too. */
  async #later(accountId: string): Promise<StartKeys> {
    const issue = async (keyClass: keyof typeof KEYS): Promise<StartKey> => {
      const { variable, name } = KEYS[keyClass];
      const given = this.config.values[variable];
      if (given !== undefined && !(await this.#isKnown(given))) {
        const members = await this.accounts.listMembers(accountId);
        const creatorUserId = members.find((member) => member.role === 'owner')?.userId ?? null;
        const [workspace] = await this.sql.query<{ id: string }>(
          'select id from workspace where account_id = $1 and is_default',
          [accountId],
        );
        await this.keys.issue({ accountId, workspaceId: workspace!.id, creatorUserId, keyClass, name }, given);
      }
      return { shellExpression: await this.#expression(keyClass), madeNow: null };
    };
    return { management: await issue('management'), standard: await issue('standard') };
  }

  async #firstKey(
    keyClass: keyof typeof KEYS,
    place: { accountId: string; workspaceId: string; creatorUserId: string },
  ): Promise<StartKey> {
    const { variable, file, name } = KEYS[keyClass];
    const given = this.config.values[variable];
    const secret = given ?? newKeySecret();
    if (given === undefined) {
      const path = join(this.config.values.DATA_DIR, file);
      await mkdir(this.config.values.DATA_DIR, { recursive: true });
      await writeFile(path, `${secret}\n`, { mode: 0o600 });
      await chmod(path, 0o600);
    }
    await this.keys.issue({ ...place, keyClass, name }, secret);
    return { shellExpression: await this.#expression(keyClass), madeNow: given === undefined ? secret : null };
  }

  /** Deleted keys are known too: starting again does not bring them back. */
  async #isKnown(secret: string): Promise<boolean> {
    return (await this.sql.query('select 1 from api_key where hash = $1', [hashOfKey(secret)])).length > 0;
  }

  async #expression(keyClass: keyof typeof KEYS): Promise<string> {
    const { variable, file } = KEYS[keyClass];
    if (this.config.values[variable] !== undefined) return `$${variable}`;
    const path = join(this.config.values.DATA_DIR, file);
    const kept = await access(path).then(
      () => readFile(path, 'utf8'),
      () => undefined,
    );
    return kept === undefined
      ? `<your ${keyClass} key>`
      : `$(cat ${/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`})`;
  }
}
