import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database/test-database.js';
import { eventually } from '../../../test/support/eventually.js';
import { Sql } from '../../database/sql.js';
import { newId, toGenerationId } from '../../kernel/ids.js';
import { Anomalies, type Anomaly } from './anomalies.js';

const anomaly = (): Anomaly => ({
  kind: 'settlement_failed',
  payer: { accountNo: 1, keyNo: 2, parentKey: null },
  generationId: newId(),
  requestId: 'request-1',
  details: { price_nano: '60' },
});

describe('anomalies of billing', () => {
  let database: TestDatabase;
  let sql: Sql;
  beforeAll(async () => {
    database = await createTestDatabase();
    sql = new Sql(database.url, 2);
  });
  afterAll(async () => {
    await sql.close();
    await database.drop();
  });

  const rowsOf = ({ generationId }: Anomaly): Promise<object[]> =>
    sql.query('select kind, account_no, key_no, request_id, details from billing_anomaly where generation_id = $1', [
      generationId,
    ]);
  const ROW = {
    kind: 'settlement_failed',
    account_no: 1,
    key_no: 2,
    request_id: 'request-1',
    details: { price_nano: '60' },
  };

  it('are logged with generation and request, counted, and written to the database', async () => {
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const one = anomaly();
    const anomalies = new Anomalies(sql);
    await anomalies.record(one);

    expect(error.mock.calls).toEqual([
      [
        expect.stringContaining(
          `settlement_failed in generation ${toGenerationId(one.generationId)} (request request-1)`,
        ),
      ],
    ]);
    expect(anomalies.countOf('settlement_failed')).toBe(1);
    expect(await rowsOf(one)).toEqual([ROW]);
    error.mockRestore();
  });

  /** Records anomalies while the database is unavailable, and returns a function that makes it available again. */
  async function recordedDuringOutage(...recorded: Anomaly[]): Promise<[Anomalies, endOutage: () => void]> {
    jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    let isAvailable = false;
    const unreliable = {
      query: (text: string, params: unknown[]) =>
        isAvailable ? sql.query(text, params) : Promise.reject(new Error('Connection terminated')),
    };
    const anomalies = new Anomalies(unreliable as unknown as Sql);
    for (const each of recorded) await anomalies.record(each);
    return [anomalies, () => (isAvailable = true)];
  }

  it('are written as soon as the database is available again', async () => {
    const one = anomaly();
    const [anomalies, endOutage] = await recordedDuringOutage(one);
    expect(await rowsOf(one)).toEqual([]);
    endOutage();
    await eventually(async () => expect(await rowsOf(one)).toEqual([ROW]));
    await anomalies.beforeApplicationShutdown();
    jest.restoreAllMocks();
  });

  it('are written even if the database refuses an earlier anomaly, and the refusal is logged', async () => {
    const refused = { ...anomaly(), details: { error: 'a zero character: \0' } };
    const one = anomaly();
    const [anomalies, endOutage] = await recordedDuringOutage(refused, one);
    endOutage();
    await eventually(async () => expect(await rowsOf(one)).toEqual([ROW]));
    expect(Logger.prototype.error).toHaveBeenLastCalledWith(
      expect.stringMatching(`${toGenerationId(refused.generationId)} could not be recorded: .*Unicode`),
    );
    await anomalies.beforeApplicationShutdown();
    jest.restoreAllMocks();
  });
});
