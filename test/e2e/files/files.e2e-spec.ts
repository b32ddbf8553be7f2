import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Accounts } from '../../../src/tenancy/accounts.js';
import { ApiKeys } from '../../../src/auth/api-keys.js';
import { makeWorkspace } from '../../support/api/api-builders.js';
import { formOf, keptBelow, upload } from '../../support/files/file-uploads.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';
import { temporaryRoot } from '../../support/temporary-folder.js';

const UNKNOWN = '00000000-0000-7000-8000-000000000000';

describe('files', () => {
  let dataDir: string;
  let service: TestService;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(temporaryRoot(), 'gatehouse-test-'));
    service = await startTestService({ env: { DATA_DIR: dataDir } });
  });
  afterAll(async () => {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const newWorkspace = async (slug: string): Promise<string> =>
    (await makeWorkspace(service.management, { name: slug, slug })).id;

  describe('POST /files', () => {
    it('returns 200 with the metadata of the specification, and stores exactly these bytes', async () => {
      const answer = await upload(service.management, 'Hello, file', 'Grüße 🎉.txt');

      expect(answer.status).toBe(200);
      expect(answer.json).toEqual({
        id: expect.stringMatching(/^file-[0-9a-f-]{36}$/),
        type: 'file',
        filename: 'Grüße 🎉.txt',
        mime_type: 'text/plain',
        size_bytes: 11,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        downloadable: false,
      });
      const [kept] = await keptBelow(dataDir);
      expect(await readFile(kept!, 'utf8')).toBe('Hello, file');
      expect((await service.management.get(`/files/${answer.json.id}`)).json).toEqual(answer.json);
    });

    it('ignores other parts of the form, such as the purpose from OpenAI, and refuses a second file', async () => {
      const form = formOf('x');
      form.set('purpose', 'assistants');
      expect((await service.management.post('/files', { body: form })).status).toBe(200);
      form.append('file', new Blob(['y']), 'second.txt');
      const refused = await service.management.post('/files', { body: form });
      expect([refused.status, refused.json.error.message]).toEqual([400, expect.stringContaining('more than one')]);
    });

    it('accepts exactly 104857600 bytes, and returns 413 for one byte more', async () => {
      const bytes = Buffer.alloc(104_857_601, 0xff);
      const whole = await upload(service.management, bytes.subarray(1), 'x');
      expect([whole.status, whole.json.size_bytes, whole.json.mime_type]).toEqual([
        200,
        104_857_600,
        'application/octet-stream',
      ]);
      expect((await upload(service.management, bytes, 'x')).status).toBe(413);
    }, 60_000);

    it('returns 400 for an empty file', async () => {
      expect((await upload(service.management, '')).json.error).toEqual({ code: 400, message: 'The file is empty' });
    });

    it.each([
      ['../../etc/passwd', 'passwd'],
      ['C:\\Users\\me\\notes.txt', 'notes.txt'],
      ['/', 'file'],
      ['..', 'file'],
      ['a\u0000b\u0007.txt', 'ab.txt'],
      ['文件 .txt ', '文件 .txt'],
      [`${'é'.repeat(300)}.json`, `${'é'.repeat(250)}.json`],
    ])('stores the name %j as %j', async (given, kept) => {
      expect((await upload(service.management, 'x', given)).json.filename).toBe(kept);
    });

    it('returns 403 for a key that is not a management key, on every operation of the group', async () => {
      const answers = [
        await upload(service.standard, 'x'),
        await service.standard.get('/files'),
        await service.standard.get(`/files/file-${UNKNOWN}`),
        await service.standard.delete(`/files/file-${UNKNOWN}`),
        await service.standard.get(`/files/file-${UNKNOWN}/content`),
      ];

      for (const answer of answers)
        expect([answer.status, answer.json]).toEqual([
          403,
          { error: { code: 403, message: 'Only management keys can perform this operation' } },
        ]);
      expect((await upload(service.as(), 'x')).status).toBe(401);
    });

    it('stores the file in the named workspace, and returns 400 for a malformed or unknown workspace', async () => {
      const id = await newWorkspace('uploads');
      const answer = await upload(service.management, 'x', 'x', `?workspace_id=${id}`);

      expect(answer.status).toBe(200);
      expect((await service.management.get(`/files?workspace_id=${id}`)).json.data).toEqual([answer.json]);
      expect((await upload(service.management, 'x', 'x', '?workspace_id=nothing')).status).toBe(400);
      expect((await upload(service.management, 'x', 'x', `?workspace_id=${UNKNOWN}`)).status).toBe(400);
    });

    it('writes an audit row for each stored and each deleted file', async () => {
      const { json } = await upload(service.management, 'audited');
      await service.management.delete(`/files/${json.id}`);

      const rows = await service.sql.query<{ action: string }>(
        'select action from audit_entry where resource_kind = $1 and resource_id = $2 order by id',
        ['file', json.id],
      );
      expect(rows.map(({ action }) => action)).toEqual(['create', 'delete']);
    });
  });

  describe('GET /files', () => {
    it('lists a workspace in pages, oldest first, each file once', async () => {
      const workspace = await newWorkspace('pages');
      const ids: string[] = [];
      for (let number = 0; number < 5; number++)
        ids.push(
          (await upload(service.management, `file ${number}`, 'x', `?workspace_id=${workspace}`)).json.id as string,
        );

      const seen: string[][] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const { json } = await service.management.get(
          `/files?workspace_id=${workspace}&limit=2${cursor ? `&cursor=${cursor}` : ''}`,
        );
        seen.push(json.data.map(({ id }: { id: string }) => id));
        expect([json.first_id, json.last_id]).toEqual([seen.at(-1)![0], seen.at(-1)!.at(-1)]);
        expect(json.has_more).toBe(json.cursor !== null);
        cursor = json.cursor;
      }
      expect(seen).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
    });

    it('returns nulls for an empty workspace', async () => {
      const workspace = await newWorkspace('empty');

      expect((await service.management.get(`/files?workspace_id=${workspace}`)).json).toEqual({
        data: [],
        has_more: false,
        first_id: null,
        last_id: null,
        cursor: null,
      });
    });

    it.each([
      'limit=0',
      'limit=1001',
      'limit=x',
      'limit=1.5',
      'cursor=x',
      'cursor=file-1',
      'workspace_id=x',
      'workspace_id=a&workspace_id=b',
    ])('returns 400 for ?%s', async (query) => {
      expect((await service.management.get(`/files?${query}`)).status).toBe(400);
    });

    it('returns 404 for an unknown workspace', async () => {
      expect((await service.management.get(`/files?workspace_id=${UNKNOWN}`)).status).toBe(404);
    });
  });

  describe('one file', () => {
    it('is deleted with its row and its bytes', async () => {
      const before = await keptBelow(dataDir);
      const { json } = await upload(service.management, 'to be deleted');
      const answer = await service.management.delete(`/files/${json.id}`);

      expect([answer.status, answer.json]).toEqual([200, { id: json.id, type: 'file_deleted' }]);
      expect(await keptBelow(dataDir)).toEqual(before);
      expect((await service.management.get(`/files/${json.id}`)).status).toBe(404);
      expect((await service.management.delete(`/files/${json.id}`)).status).toBe(404);
    });

    it('can be downloaded only if the service made it, not if it was uploaded', async () => {
      const { json } = await upload(service.management, 'its bytes', 'Grüße 1.html');

      expect((await service.management.get(`/files/${json.id}/content`)).status).toBe(400);
      await service.sql.query('update file set downloadable = true where id = $1', [json.id.slice('file-'.length)]);
      const answer = await service.management.get(`/files/${json.id}/content`);
      expect([answer.status, answer.text, answer.headers.get('content-type')]).toEqual([
        200,
        'its bytes',
        'application/octet-stream',
      ]);
      // A browser saves the file under its name and never displays it.
      expect(answer.headers.get('content-disposition')).toMatch(
        /^attachment; filename="Gr\?\?e .*"; filename\*=UTF-8''Gr%C3%BC%C3%9Fe%201\.html$/,
      );
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    });

    it('is not found under another id, a malformed id or another workspace, or by another account', async () => {
      const { json } = await upload(service.management, 'mine');
      const { account, workspace } = await service.app.get(Accounts, { strict: false }).create('Other');
      const { secret } = await service.app.get(ApiKeys, { strict: false }).issue({
        accountId: account.id,
        workspaceId: workspace.id,
        keyClass: 'management',
        name: 'other',
        creatorUserId: null,
        limitNano: null,
      });
      const other = await newWorkspace('elsewhere');

      for (const id of [`file-${UNKNOWN}`, 'nothing', json.id.slice('file-'.length), `${json.id}x`])
        expect([id, (await service.management.get(`/files/${id}`)).status]).toEqual([id, 404]);
      expect((await service.management.get(`/files/${json.id}?workspace_id=${other}`)).status).toBe(404);
      expect((await service.management.get(`/files/${json.id}?workspace_id=${UNKNOWN}`)).status).toBe(404);
      expect((await service.management.get(`/files/${json.id}?workspace_id=x`)).status).toBe(400);
      for (const method of ['get', 'delete'] as const)
        expect((await service.as(secret)[method](`/files/${json.id}`)).status).toBe(404);
      expect((await service.as(secret).get(`/files/${json.id}/content`)).status).toBe(404);
      expect((await service.as(secret).get('/files')).json.data).toEqual([]);
      expect((await upload(service.as(secret), 'x', 'x', `?workspace_id=${other}`)).status).toBe(400);
      expect((await service.management.get(`/files/${json.id}`)).status).toBe(200);
    });

    it('prevents the deletion of its workspace', async () => {
      const workspace = await newWorkspace('full');
      const { json } = await upload(service.management, 'x', 'x', `?workspace_id=${workspace}`);
      const refused = await service.management.delete(`/workspaces/${workspace}`);

      expect(refused.status).toBe(400);
      expect(refused.json.error.message).toContain('files (1)');
      await service.management.delete(`/files/${json.id}`);
      expect((await service.management.delete(`/workspaces/${workspace}`)).status).toBe(200);
    });
  });
});
