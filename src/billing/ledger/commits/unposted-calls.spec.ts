import { jest } from '@jest/globals';
import { insertAccount, insertKey } from '../../../../test/support/database/row-builders.js';
import type { LeaseService } from '../../../../test/support/money/lease-service.js';
import { LeaseStage, RECORD, type PayerNos } from '../../../../test/support/money/lease-stage.js';
import { newId } from '../../../kernel/ids.js';
import { elementText } from '../composite-text.js';
import { recordTexts } from '../ledger-rows.js';

const GRANTED = 1_000;
const HELD = 900n;

describe('a call that is not posted yet, with most of the credits on its lease', () => {
  let stage: LeaseStage;
  let service: LeaseService;
  beforeAll(async () => {
    stage = await LeaseStage.open();
    service = await stage.start();
  });
  afterAll(async () => {
    await stage.settle();
    await stage.close();
  });

  /** A lease on which no call may begin, with one call that cost 1 of the leased 900 and is not posted. */
  async function unpostedCall([accountNo, keyNo]: PayerNos): Promise<void> {
    const [lease, call] = [newId(), newId()];
    await stage.sql.query(
      `with lease as (
         insert into reservation (id, generation_id, account_no, key_no, account_amount, key_amount,
           created_at, deadline, state, lends_until)
         values ($1, $1, $2, $3, $4, $4, now(), now() + interval '1 h', 'reserved', now() + interval '1 h')),
       account as (update account_balance set reserved = reserved + $4 where account_no = $2)
       update key_balance set reserved = reserved + $4, day_start = (now() at time zone 'UTC')::date
       where account_no = $2 and key_no = $3`,
      [lease, accountNo, keyNo, HELD],
    );
    const finish = elementText([
      call,
      lease,
      accountNo,
      keyNo,
      new Date().toISOString(),
      HELD,
      HELD,
      true,
      1n,
      0n,
      false,
    ]);
    const { usage, detail } = recordTexts(RECORD, 1n);
    const write = 'select ledger_write_journal($1, $2, $3, 0, $4, $5, $6, null)';
    await stage.sql.query(write, [accountNo, lease, 'key day', finish, usage, detail]);
    await stage.sql.query(`update reservation set lends_until = '-infinity' where account_no = $1 and id = $2`, [
      accountNo,
      lease,
    ]);
  }

  it('is posted before another call is refused for the credits', async () => {
    const of = await stage.payer(GRANTED);
    await unpostedCall(of);

    expect(await service.call(...of, { worstCase: 999n, price: 9n })).toBe('done');
    expect(await stage.spent(of[0])).toBe(10n);
  });

  it('is posted before another call is refused for the limit of the key', async () => {
    const of = await stage.payer(1_000_000, { limit_nano: GRANTED });
    await unpostedCall(of);

    expect(await service.call(...of, { worstCase: 999n, price: 9n })).toBe('done');
    expect(await service.call(...of, { worstCase: 991n, price: 9n })).toMatch(/limit/);
  });

  it('delays no refusal of a call of another key', async () => {
    const account = await insertAccount(stage.sql, { granted: 1_000_000 });
    const [{ no: keyNo }, other] = [
      await insertKey(stage.sql, account),
      await insertKey(stage.sql, account, { limit_nano: 10 }),
    ];
    const accountNo = account.no;
    await unpostedCall([accountNo, keyNo]);
    const recall = jest.spyOn(service.credit.leases, 'recall');

    expect(await service.call(accountNo, other.no, { worstCase: 11n, price: 9n })).toMatch(/limit/);
    expect(recall).not.toHaveBeenCalled();
    await stage.post();
  });
});
