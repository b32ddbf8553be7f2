import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiKeys } from '../auth/api-keys.js';
import { Balances } from '../billing/balances.js';
import { Config } from '../config/config.js';
import { Sql } from '../database/sql.js';
import { newKeySecret } from '../auth/key-secret.js';
import type { MemberId } from '../auth/member-keys.js';
import { usdToNano } from '../kernel/money.js';
import { ConsoleCodes } from '../sessions/console-codes.js';
import { Accounts } from '../tenancy/accounts.js';

/** The number of the advisory lock; nothing else in the database uses it. */
const FIRST_START_LOCK = 7_246_012;
/** How long to wait for a replica that creates the first account. */
const LOCK_TIMEOUT_MS = 60_000;

interface StartKey {
  /** A shell expression for the key, which reads its file or its variable. */
  readonly shellExpression: string;
  /** The key itself if it was generated and has not been shown yet; otherwise null. */
  readonly toShow: string | null;
  /** The file of a generated key. */
  readonly file: string | null;
}

export interface StartKeys {
  readonly management: StartKey;
  readonly standard: StartKey;
}

/** A link with a one-time code, and the file in DATA_DIR that contains the link. */
export interface StartLink {
  readonly url: string;
  readonly file: string;
}

const CONSOLE_LINK_FILE = 'console-link';

/**
 * A marker file in DATA_DIR. It exists from the generation of the keys until they are shown. If the start fails in
 * between, for example because the port is in use, the next start shows them.
 */
const UNSHOWN_KEYS_FILE = 'keys-not-shown-yet';

const KEYS = {
  management: { variable: 'BOOTSTRAP_MANAGEMENT_KEY', file: 'management-key', name: 'Bootstrap management key' },
  standard: { variable: 'BOOTSTRAP_API_KEY', file: 'api-key', name: 'Bootstrap API key' },
} as const;

type StartKeyClass = keyof typeof KEYS;

/** Creates the first account, its owner, two keys and the first credits, once. */
@Injectable()
export class FirstStart {
  /** Set if this start creates the first account, or if an earlier start could not show the keys. */
  #owner: MemberId | undefined;

  constructor(
    private readonly config: Config,
    private readonly accounts: Accounts,
    private readonly keys: ApiKeys,
    private readonly balances: Balances,
    private readonly sql: Sql,
    private readonly codes: ConsoleCodes,
  ) {}

  ensure(): Promise<StartKeys> {
    return this.sql.transaction(async (session) => {
      // Serialise replicas that start at the same time.
      await session.query('select pg_advisory_xact_lock($1)', [FIRST_START_LOCK], { timeoutMs: LOCK_TIMEOUT_MS });
      const [first] = await this.accounts.list();
      return first ? this.#later(first.id) : this.#first();
    });
  }

  /**
   * Creates a link that signs the owner in to the console, and stores it in a file. Null unless this start creates the
   * account or shows keys that an earlier start could not show.
   */
  async consoleLink(baseUrl: string): Promise<StartLink | null> {
    if (!this.#owner) return null;
    const { url } = await this.codes.link(baseUrl, this.#owner, 'service');
    await this.#write(CONSOLE_LINK_FILE, `${url}\n`);
    return { url, file: this.#path(CONSOLE_LINK_FILE) };
  }

  /** Call this when the keys or the names of their files have been shown. Later starts do not show them again. */
  shown(): Promise<void> {
    return rm(this.#path(UNSHOWN_KEYS_FILE), { force: true });
  }

  async #first(): Promise<StartKeys> {
    const { account, workspace } = await this.accounts.create('Default', undefined, true);
    const owner = await this.accounts.createUser('Owner', null);
    await this.accounts.addMember(account.id, owner.id, 'owner', true);
    this.#owner = { accountId: account.id, userId: owner.id };
    await this.balances.grant({
      accountNo: account.no,
      amount: usdToNano(this.config.values.BOOTSTRAP_CREDITS_USD),
      kind: 'grant',
      reason: 'First credits (BOOTSTRAP_CREDITS_USD)',
      idempotencyId: `bootstrap-${randomUUID()}`,
    });
    const place = { accountId: account.id, workspaceId: workspace.id, creatorUserId: owner.id };
    await this.#firstKey('management', place);
    await this.#firstKey('standard', place);
    return { management: await this.#startKey('management'), standard: await this.#startKey('standard') };
  }

  /** For starts after the first. Issues a key that is in the environment but not yet in the database. */
  async #later(accountId: string): Promise<StartKeys> {
    const members = await this.accounts.listMembers(accountId);
    const owner = members.find((member) => member.role === 'owner')?.userId ?? null;
    if (owner !== null && this.#hasUnshownKeys()) this.#owner = { accountId, userId: owner };
    await rm(this.#path(CONSOLE_LINK_FILE), { force: true });
    const issue = async (keyClass: StartKeyClass): Promise<StartKey> => {
      const { variable, name } = KEYS[keyClass];
      const given = this.config.values[variable];
      // Deleted keys and rotated secrets are known too, so that a restart does not issue them again.
      if (given !== undefined && !(await this.keys.isKnown(given))) {
        const [workspace] = await this.sql.query<{ id: string }>(
          'select id from workspace where account_id = $1 and is_default',
          [accountId],
        );
        await this.keys.issue({ accountId, workspaceId: workspace!.id, creatorUserId: owner, keyClass, name }, given);
      }
      return this.#startKey(keyClass);
    };
    return { management: await issue('management'), standard: await issue('standard') };
  }

  async #firstKey(
    keyClass: StartKeyClass,
    place: { accountId: string; workspaceId: string; creatorUserId: string },
  ): Promise<void> {
    const { variable, file, name } = KEYS[keyClass];
    const given = this.config.values[variable];
    const secret = given ?? newKeySecret();
    if (given === undefined) {
      await this.#write(file, `${secret}\n`);
      await this.#write(UNSHOWN_KEYS_FILE, '');
    }
    await this.keys.issue({ ...place, keyClass, name }, secret);
  }

  #hasUnshownKeys(): boolean {
    return existsSync(this.#path(UNSHOWN_KEYS_FILE));
  }

  async #write(file: string, content: string): Promise<void> {
    await mkdir(this.config.values.DATA_DIR, { recursive: true });
    await writeFile(this.#path(file), content, { mode: 0o600 });
    await chmod(this.#path(file), 0o600);
  }

  #path(file: string): string {
    return join(this.config.values.DATA_DIR, file);
  }

  async #startKey(keyClass: StartKeyClass): Promise<StartKey> {
    const { variable, file } = KEYS[keyClass];
    if (this.config.values[variable] !== undefined)
      return { shellExpression: `$${variable}`, toShow: null, file: null };
    const path = this.#path(file);
    const kept = (await readFile(path, 'utf8').catch(() => '')).trim();
    if (kept === '') return { shellExpression: `<your ${keyClass} key>`, toShow: null, file: null };
    const quoted = /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
    return { shellExpression: `$(cat ${quoted})`, toShow: this.#hasUnshownKeys() ? kept : null, file: path };
  }
}
