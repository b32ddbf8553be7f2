import { makeKey, type MadeKey } from '../../support/api/api-builders.js';
import { makeMember } from '../../support/money/account-builders.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

/** More than the number of database connections, so that changes that need two connections each would deadlock. */
const MANY = 24;

describe('simultaneous requests for more keys than there are database connections', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());
  const makeMany = (fields: object = {}): Promise<MadeKey[]> =>
    Promise.all(Array.from({ length: MANY }, () => makeKey(service.management, fields)));

  it('create the keys', async () => {
    expect(new Set((await makeMany()).map(({ hash }) => hash)).size).toBe(MANY);
  });

  it('rotate keys of another member', async () => {
    const [account] = await service.sql.query<{ id: string }>('select id from account');
    const creator_user_id = await makeMember(service, { accountId: account!.id });
    const keys: MadeKey[] = [];
    for (let made = 0; made < MANY; made++) keys.push(await makeKey(service.management, { creator_user_id }));
    const rotated = await Promise.all(keys.map(({ hash }) => service.management.post(`/keys/${hash}/rotate`)));
    expect(rotated.map(({ status }) => status)).toEqual(keys.map(() => 200));
  });

  it('return 404 for keys that do not exist', async () => {
    const hashes = Array.from({ length: MANY }, (_, n) => n.toString(16).padStart(64, '0'));
    const changed = await Promise.all(
      hashes.map((hash) => service.management.patch(`/keys/${hash}`, { json: { name: 'x' } })),
    );
    expect(changed.map(({ status }) => status)).toEqual(hashes.map(() => 404));
  });
});
