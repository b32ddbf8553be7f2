import { Injectable } from '@nestjs/common';
import { ApiKeys } from '../../auth/api-keys.js';
import { KeyDirectory } from '../../auth/key-directory.js';
import { Balances } from '../../billing/balances.js';
import type { ConsoleSession } from '../../sessions/console-session.js';
import { Accounts } from '../../tenancy/accounts.js';
import type { SessionView } from './console-session.wire.js';

/** Reads the user and the principal of a session, and the key and the spend of its calls. */
@Injectable()
export class SessionViews {
  constructor(
    private readonly keys: ApiKeys,
    private readonly directory: KeyDirectory,
    private readonly balances: Balances,
    private readonly accounts: Accounts,
  ) {}

  async of(session: ConsoleSession): Promise<SessionView> {
    const user = session.userId === null ? null : await this.accounts.findUser(session.userId);
    const { accountId, keys } = session;
    const main = (await this.directory.find(keys.main))?.principal ?? null;
    const key = keys.calls === null ? null : await this.keys.find({ accountId }, keys.calls);
    const spend = key && (await this.balances.ofKeys([key.no])).get(key.no);
    return { session, user, main, calls: key && spend ? { key, spend } : null };
  }
}
