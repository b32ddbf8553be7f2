import { randomBytes } from 'node:crypto';
import { PreviousValues } from '../../../src/vaults/previous-values.js';
import { Vaults } from '../../../src/vaults/vaults.js';
import { type Pass } from '../../support/secrets/egress-client.js';
import { bodyOf, get, HOST, MaskStage, OTHER_HOST, response } from '../../support/secrets/egress-mask-stage.js';
import { revealsAny } from '../../support/secrets/secret-readings.js';

describe('the secrets of a host in its responses', () => {
  let on: MaskStage;

  beforeAll(async () => {
    on = await MaskStage.start();
  }, 60_000);
  afterAll(() => on.stop());
  afterEach(() => on.reset());

  async function isMasked(value: string, by: Pass, host = HOST): Promise<boolean> {
    const text = bodyOf(
      (await on.ask(response(Buffer.from(`<${value}>`)), { connect: `${host}:443` }, by)).bytes,
    ).toString();
    expect([`<${value}>`, `<${'*'.repeat(value.length)}>`]).toContain(text);
    return text !== `<${value}>`;
  }

  it('are masked even if no request ever used them, and without an audit row', async () => {
    const id = await on.anIntern('never-asked');
    const value = `never-asked-${randomBytes(8).toString('hex')}`;
    await on.put(id, 'token', value);
    const before = await on.uses();
    expect(await isMasked(value, await on.aPass(id))).toBe(true);
    expect(await on.uses()).toBe(before);
  });

  it('and their former values are masked after each replacement and after the deletion', async () => {
    const id = await on.anIntern('replaced');
    const by = await on.aPass(id);
    const values = Array.from({ length: 4 }, (_, at) => `value-${at}-${randomBytes(8).toString('hex')}`);
    for (const value of values) await on.put(id, 'token', value);
    expect(await Promise.all(values.slice(0, 1).map((value) => isMasked(value, by)))).toEqual([true]);
    for (const value of values) expect([value, await isMasked(value, by)]).toEqual([value, true]);
    expect((await on.me.api.delete(`/vault/interns/${id}/secrets/token`)).status).toBe(204);
    // No secret is bound to the host any more, but the tunnel is still opened.
    for (const value of values) expect([value, await isMasked(value, by)]).toEqual([value, true]);
    expect((await on.ask(undefined, { request: get('Authorization: Bearer __vault__token__\r\n') }, by)).text).toMatch(
      /^HTTP\/1\.1 403/,
    );
  });

  it('are masked at the host to which they were bound before', async () => {
    const id = await on.anIntern('rebound');
    const by = await on.aPass(id);
    const value = `rebound-${randomBytes(8).toString('hex')}`;
    await on.put(id, 'token', value, [HOST]);
    await on.put(id, 'token', value, [OTHER_HOST]);
    expect([await isMasked(value, by, HOST), await isMasked(value, by, OTHER_HOST)]).toEqual([true, true]);
  });

  it('are masked for 30 days after a replacement: at most four values of a name and 1,000 of a vault', async () => {
    const id = await on.anIntern('old');
    const by = await on.aPass(id);
    const value = `old-${randomBytes(8).toString('hex')}`;
    await on.put(id, 'token', value);
    await on.put(id, 'token', 'another value');
    const age = (interval: string) =>
      on.stage.sql.query(
        `update vault_secret_previous set replaced_at = clock_timestamp() - $1::interval
         where vault_id = (select vault_id from intern where id = $2)`,
        [interval, id],
      );
    await age('29 days 23 hours');
    await on.me.api.put(`/vault/interns/${id}/secrets/touch`, { json: { value: 'x', hosts: [HOST] } });
    expect(await isMasked(value, by)).toBe(true);
    await age('30 days 1 second');
    await on.me.api.put(`/vault/interns/${id}/secrets/touch`, { json: { value: 'y', hosts: [HOST] } });
    expect(await isMasked(value, by)).toBe(false);
    await on.stage.app.get(PreviousValues, { strict: false }).purge();
    expect(
      await on.stage.sql.query(
        `select 1 from vault_secret_previous where replaced_at <= clock_timestamp() - interval '30 days'`,
      ),
    ).toEqual([]);
    for (let n = 0; n < 6; n++) await on.put(id, 'churn', `churn ${n}`);
    const kept = async (): Promise<{ name: string; n: number }[]> =>
      on.stage.sql.query(
        `select name, count(*)::int as n from vault_secret_previous
         where vault_id = (select vault_id from intern where id = $1) group by name order by name`,
        [id],
      );
    expect(await kept()).toContainEqual({ name: 'churn', n: 4 });
    const churned: boolean[] = [];
    for (let n = 0; n < 6; n++) churned.push(await isMasked(`churn ${n}`, by));
    expect(churned).toEqual([false, true, true, true, true, true]);
    await on.stage.sql.query(
      `insert into vault_secret_previous select vault_id, 'many_' || n, fingerprint, hosts, sealed, clock_timestamp()
       from vault_secret_previous, generate_series(1, 1000) n
       where name = 'touch' and vault_id = (select vault_id from intern where id = $1)`,
      [id],
    );
    await on.put(id, 'churn', 'the last one');
    expect((await kept()).reduce((sum, { n }) => sum + n, 0)).toBe(1_000);
    expect(await kept()).toContainEqual({ name: 'churn', n: 1 });
  }, 60_000);

  it('and their former values are removed with the vault of a deleted intern', async () => {
    const id = await on.anIntern('gone');
    await on.put(id, 'token', 'first value');
    await on.put(id, 'token', 'second value');
    const [vault] = await on.stage.sql.query<{ vault_id: string }>('select vault_id from intern where id = $1', [id]);
    await on.stage.sql.transaction((session) =>
      on.stage.app.get(Vaults, { strict: false }).destroyOfIntern(session, id),
    );
    expect(
      await on.stage.sql.query('select 1 from vault_secret_previous where vault_id = $1', [vault!.vault_id]),
    ).toEqual([]);
  });

  it('are masked from own vault, borrowed vault and workspace, even if another secret hides them', async () => {
    const lender = await on.anIntern('lender');
    const [own, lent, shared, hidden] = ['own', 'lent', 'shared', 'hidden'].map(
      (name) => `${name}-${randomBytes(8).toString('hex')}`,
    );
    const [row] = await on.stage.sql.query<{ vault_id: string }>('select vault_id from intern where id = $1', [lender]);
    const borrower = await on.anIntern('borrower', { vault_id: row!.vault_id });
    await on.put(lender, 'lent', lent!);
    await on.put(borrower, 'own', own!);
    await on.put(null, 'shared', shared!);
    await on.put(null, 'own', hidden!);
    const by = await on.aPass(borrower);
    for (const value of [own, lent, shared, hidden]) expect([value, await isMasked(value!, by)]).toEqual([value, true]);
    // The lender can use the secrets of the workspace, but none of the borrower's.
    const lenders = await on.aPass(lender);
    for (const [value, masked] of [
      [own, false],
      [lent, true],
      [shared, true],
      [hidden, true],
    ] as const)
      expect([value, await isMasked(value!, lenders)]).toEqual([value, masked]);
    for (const name of ['shared', 'own']) await on.me.api.delete(`/vault/secrets/${name}`);
  });

  it('are not masked at a host to which they are not bound', async () => {
    const id = await on.anIntern('elsewhere');
    await on.put(id, 'token', 'bound-to-the-first-host', [HOST]);
    await on.put(id, 'other', 'bound-to-the-second-host', [OTHER_HOST]);
    const by = await on.aPass(id);
    expect([
      await isMasked('bound-to-the-second-host', by),
      await isMasked('bound-to-the-first-host', by, OTHER_HOST),
    ]).toEqual([false, false]);
  });

  it('are masked only if they have at least six characters', async () => {
    const id = await on.anIntern('short');
    await on.put(id, 'five', 'fgh12');
    await on.put(id, 'six', 'xyz123');
    await on.put(id, 'six_more', 'ключик');
    const { bytes } = await on.ask(response(Buffer.from('<fgh12><xyz123><ключик>')), {}, await on.aPass(id));
    expect(bodyOf(bytes).toString()).toBe(`<fgh12><******><${'*'.repeat(12)}>`);
  });

  it('are masked as soon as they are stored', async () => {
    const id = await on.anIntern('soon');
    await on.put(id, 'first', 'first-value');
    const by = await on.aPass(id);
    expect(await isMasked('second-value', by)).toBe(false);
    await on.put(id, 'second', 'second-value');
    expect(await isMasked('second-value', by)).toBe(true);
  });

  it('are masked even if one response contains 150 of them', async () => {
    const id = await on.anIntern('hundreds');
    const values = Array.from({ length: 150 }, () => randomBytes(24).toString('base64url'));
    for (const [at, value] of values.entries()) await on.put(id, `token_${at}`, value);
    const { bytes } = await on.ask(
      response(
        Buffer.from(
          values
            .map((value, at) =>
              at % 3 === 0
                ? value
                : Buffer.from(at % 3 === 1 ? `u:${value}` : value).toString(at % 3 === 1 ? 'base64' : 'hex'),
            )
            .join(' | '),
        ),
      ),
      {},
      await on.aPass(id),
    );
    const body = bodyOf(bytes);
    for (const value of values) expect(body.includes(value)).toBe(false);
    expect(values.filter((value) => revealsAny(body, value))).toEqual([]);
    const parts = body.toString('latin1').split(' | ');
    expect(parts.filter((part) => /^(dT.)?\*{30,}=*$/.test(part)).length).toBe(values.length);
  }, 60_000);

  it('of 65,536 characters are masked', async () => {
    const id = await on.anIntern('longest');
    const by = await on.aPass(id);
    for (const value of ['k'.repeat(65_536), randomBytes(49_152).toString('base64')]) {
      await on.put(id, 'token', value);
      for (const written of [
        value,
        JSON.stringify(value).replaceAll('/', '\\/'),
        Buffer.from(`u:${value}`).toString('base64'),
      ]) {
        const { bytes } = await on.ask(response(Buffer.from(`<${written}>`)), {}, by);
        const body = bodyOf(bytes).toString('latin1');
        expect(body.replace(/\*{65000,}/, '...')).toMatch(/^<(dT[op]?|")?\.\.\.(=*|")>$/);
        expect(body.length).toBe(written.length + 2);
      }
    }
  }, 60_000);
});
