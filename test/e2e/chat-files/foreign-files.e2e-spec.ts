import { ApiKeys } from '../../../src/auth/api-keys.js';
import { newId } from '../../../src/kernel/ids.js';
import type { ApiClient } from '../../support/api/api-client.js';
import { upload } from '../../support/files/file-uploads.js';
import { makeSecondAccount, type SecondAccount } from '../../support/money/second-account.js';
import { HELLO, startTextStage, type TextStage } from '../../support/calls/text-stage.js';

const UNKNOWN = 'file-0192a1b2-0000-7000-8000-000000000000';

describe('a file of another workspace or account in a chat request', () => {
  let stage: TextStage;
  let second: SecondAccount;
  let otherWorkspace: string;
  /** Ids that the first account's standard key must not use, by the reason. */
  const foreign: Record<string, string> = {};
  let own: string;
  beforeAll(async () => {
    stage = await startTextStage();
    const { management } = stage.service;
    second = await makeSecondAccount(stage.service);
    const created = await management.post('/workspaces', { json: { name: 'Other', slug: 'other' } });
    otherWorkspace = created.json.data.id;
    const idOf = async (client: ApiClient, query = ''): Promise<string> =>
      (await upload(client, 'a secret of others', 'secret.txt', query)).json.id;
    own = await idOf(management);
    foreign['another workspace'] = await idOf(management, `?workspace_id=${otherWorkspace}`);
    foreign['another account'] = await idOf(stage.service.as(second.managementKey));
    foreign['a deleted file'] = await idOf(management);
    await management.delete(`/files/${foreign['a deleted file']}`);
    foreign['no file'] = UNKNOWN;
    foreign['no id'] = 'file-1';
    foreign['the empty text'] = '';
    foreign['a path'] = '../../etc/passwd';
    foreign['a long text'] = 'file-'.repeat(1_000);
  });
  afterAll(() => stage.stop());

  const aboutFile = (fileId: string) => [{ role: 'user', content: [{ type: 'file', file: { file_id: fileId } }] }];
  const chat = (fileId: string, request: Parameters<TextStage['chat']>[1] = {}, fields: object = {}) =>
    stage.chat({ messages: aboutFile(fileId), ...fields }, request);
  const counts = async (): Promise<unknown> => [
    await stage.service.sql.query(`select count(*) from audit_entry where action = 'use'`),
    await stage.service.sql.query('select * from account_balance order by account_no'),
    stage.vendors.openai.seen.length,
  ];
  const keyIn = async (fields: Pick<SecondAccount, 'accountId' | 'workspaceId'>, internId: string | null = null) => {
    const keys = stage.service.app.get(ApiKeys, { strict: false });
    const keyClass = internId ? 'intern' : 'standard';
    return (await keys.issue({ ...fields, keyClass, name: 'k', creatorUserId: null, internId })).secret;
  };

  /** Sends a chat as an intern of the workspace, in its runtime. */
  const chatInside = async (fileId: string, fields: Parameters<typeof keyIn>[0]) => {
    const internId = newId();
    const client = await stage.service.inside(internId, await keyIn(fields, internId));
    return client.post('/chat/completions', { json: { model: 'rules/openai', messages: aboutFile(fileId) } });
  };

  it('is 404 with the message of a file that does not exist, buffered and streamed', async () => {
    const { status, json } = await chat(UNKNOWN);
    expect([status, json.error.message]).toEqual([404, 'messages[0].content[0].file.file_id: No file has this id']);
    const before = await counts();
    for (const id of Object.values(foreign))
      for (const stream of [false, true]) {
        const answer = await chat(id, {}, { stream });
        expect([answer.status, answer.json]).toEqual([404, json]);
      }
    expect(await counts()).toEqual(before);
  });

  it('is 404 even next to a file of the caller, and neither of the two is opened', async () => {
    const before = await counts();
    const parts = [own, foreign['another account']].map((id) => ({ type: 'file', file: { file_id: id } }));
    const { status } = await stage.chat({ messages: [...HELLO, { role: 'user', content: parts }] });
    expect([status, await counts()]).toEqual([404, before]);
  });

  it('is 404 for a key or an intern of another workspace, and for a key of another account', async () => {
    const [{ account_id: accountId, workspace_id: workspaceId }] = (await stage.service.sql.query(
      'select account_id, workspace_id from file where id = $1',
      [own.slice('file-'.length)],
    )) as [{ account_id: string; workspace_id: string }];
    const inOther = { accountId, workspaceId: otherWorkspace };
    const strangers = [await keyIn(inOther), second.standardKey];
    for (const key of strangers) expect((await chat(own, { key })).status).toBe(404);
    expect((await chatInside(own, inOther)).status).toBe(404);
    expect((await chat(foreign['another workspace']!, { key: await keyIn(inOther) })).status).toBe(200);
    expect((await chat(own, { key: await keyIn({ accountId, workspaceId }) })).status).toBe(200);
    expect((await chatInside(own, { accountId, workspaceId })).status).toBe(200);
  });

  it('is not opened for a caller with its own credential of the vendor', async () => {
    const json = { provider: 'openai', key: 'sk-own-of-the-caller' };
    expect((await stage.service.management.post('/byok', { json })).status).toBe(201);
    for (const id of Object.values(foreign)) expect((await chat(id)).status).toBe(404);
    expect((await chat(own)).status).toBe(200);
    const { headers, raw } = stage.vendors.openai.seen.at(-1)!;
    expect([headers.authorization, raw.toString()]).toEqual([
      'Bearer sk-own-of-the-caller',
      expect.not.stringContaining('file_id'),
    ]);
  });
});
