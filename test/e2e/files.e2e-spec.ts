import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Accounts } from '../../src/tenancy/accounts.js';
import { ApiKeys } from '../../src/auth/api-keys.js';
import { FILE_SAMPLES, zip, zipOf } from '../support/file-samples.js';
import { keptBelow, upload } from '../support/file-uploads.js';
import { startTestService, type TestService } from '../support/test-service.js';

const UNKNOWN = '00000000-0000-7000-8000-000000000000';

describe('files', () => {
  let dataDir: string;
  let service: TestService;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-test-'));
    service = await startTestService({ env: { DATA_DIR: dataDir } });
  });
  afterAll(async () => {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const newWorkspace = async (slug: string): Promise<string> =>
    (await service.management.post('/workspaces', { json: { name: slug, slug } })).json.data.id as string;

  describe('POST /files', () => {
    it('answers 200 with the metadata of the specification, and keeps exactly these bytes', async () => {
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

    it.each(FILE_SAMPLES)('reads %s from the contents, whatever the name says', async (mimeType, bytes) => {
      const answer = await upload(service.management, bytes, 'lies.csv');

      expect([answer.status, answer.json.mime_type]).toEqual([200, mimeType]);
    });

    it.each([
      ['{"a": [1, 2, {"b": null}]}', 'x.txt', 'application/json'],
      ['\u{FEFF}[1]', 'x', 'application/json'],
      ['{"a":1}\n{"a":2}\n', 'x.json', 'application/x-ndjson'],
      ['{"a":1', 'x.json', 'text/plain'],
      ['a,b\n1,2', 'x.csv', 'text/csv'],
      ['a,b\n1,2', 'X.CSV', 'text/csv'],
      ['a,b\n1,2', 'x.txt', 'text/plain'],
      ['# Title', 'x.md', 'text/markdown'],
      ['# Title', 'x.markdown', 'text/markdown'],
      ['<html><script>alert(1)</script></html>', 'x.html', 'text/plain'],
      ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'x.svg', 'text/plain'],
      ['<?xml version="1.0"?><rss/>', 'x.xml', 'text/plain'],
      ['ID3 tags explained', 'x.txt', 'text/plain'],
      ['GIF89a is a format', 'x.md', 'text/markdown'],
      ['%PDF-1.4 in letters only', 'x.txt', 'application/pdf'],
      ['x', 'x.pdf', 'text/plain'],
    ])('reports %j named %s as %s', async (text, name, mimeType) => {
      const answer = await upload(service.management, text, name);

      expect([answer.status, answer.json.mime_type]).toEqual([200, mimeType]);
    });

    it('knows an office document by its directory where its beginning does not tell', async () => {
      const picture = { name: 'docProps/thumbnail.jpeg', bytes: Buffer.alloc(9_000, 7) };
      const document = zip([
        picture,
        { name: '[Content_Types].xml', bytes: Buffer.from('<x/>') },
        { name: 'word/document.xml', bytes: Buffer.from('<x/>') },
      ]);

      expect((await upload(service.management, document)).json.mime_type).toBe(
        'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      );
    });

    it.each([
      ['a plain archive', zipOf('readme.txt', 'word.txt')],
      [
        'an office document with macros',
        zip([
          { name: 'docProps/thumbnail.jpeg', bytes: Buffer.alloc(9_000, 7) },
          ...['[Content_Types].xml', 'xl/workbook.xml', 'xl/vbaProject.bin'].map((name) => ({
            name,
            bytes: Buffer.from('<x/>'),
          })),
        ]),
      ],
      ['a program', Buffer.concat([Buffer.from('MZ'), Buffer.alloc(300, 0x90)])],
      ['an ELF program', Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01'), Buffer.alloc(300)])],
      ['zero bytes of value', Buffer.alloc(5_000)],
      ['UTF-16 text', Buffer.from('\u{FEFF}hello', 'utf16le')],
      ['Latin-1 text', Buffer.from('Grüße', 'latin1')],
      ['text cut off within a character', Buffer.from('Grüß').subarray(0, -1)],
      ['text that turns binary after 100 kB', Buffer.concat([Buffer.alloc(100_000, 0x61), Buffer.from([0xff])])],
      ['a bitmap', Buffer.concat([Buffer.from('BM'), Buffer.alloc(300, 0xfe)])],
      ['a video', Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypisom'), Buffer.alloc(300, 0xfe)])],
    ])('answers 400 to %s and names what it takes', async (_, bytes) => {
      const before = await keptBelow(dataDir);
      const answer = await upload(service.management, bytes, 'image.png');

      expect(answer.status).toBe(400);
      expect(answer.json.error.message).toContain('DOCX');
      expect(await keptBelow(dataDir)).toEqual(before);
    });

    it('answers 400 to an empty file', async () => {
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
    ])('keeps the name %j as %j', async (given, kept) => {
      expect((await upload(service.management, 'x', given)).json.filename).toBe(kept);
    });

    it('answers 403 to a key that is not a management key, on every operation of the group', async () => {
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

    it('puts the file into the workspace that is named, and answers 400 to a malformed and to an unknown one', async () => {
      const id = await newWorkspace('uploads');
      const answer = await upload(service.management, 'x', 'x', `?workspace_id=${id}`);

      expect(answer.status).toBe(200);
      expect((await service.management.get(`/files?workspace_id=${id}`)).json.data).toEqual([answer.json]);
      expect((await upload(service.management, 'x', 'x', '?workspace_id=nothing')).status).toBe(400);
      expect((await upload(service.management, 'x', 'x', `?workspace_id=${UNKNOWN}`)).status).toBe(400);
    });

    it('leaves an audit row for each file that is kept and for each that is deleted', async () => {
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

    it('answers an empty workspace with nulls', async () => {
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
    ])('answers 400 to ?%s', async (query) => {
      expect((await service.management.get(`/files?${query}`)).status).toBe(400);
    });

    it('answers 404 to an unknown workspace', async () => {
      expect((await service.management.get(`/files?workspace_id=${UNKNOWN}`)).status).toBe(404);
    });
  });

  describe('one file', () => {
    it('is gone once deleted, row and bytes', async () => {
      const before = await keptBelow(dataDir);
      const { json } = await upload(service.management, 'to be deleted');
      const answer = await service.management.delete(`/files/${json.id}`);

      expect([answer.status, answer.json]).toEqual([200, { id: json.id, type: 'file_deleted' }]);
      expect(await keptBelow(dataDir)).toEqual(before);
      expect((await service.management.get(`/files/${json.id}`)).status).toBe(404);
      expect((await service.management.delete(`/files/${json.id}`)).status).toBe(404);
    });

    it('is not downloadable where it was uploaded, and is where the service made it', async () => {
      const { json } = await upload(service.management, 'its bytes');

      expect((await service.management.get(`/files/${json.id}/content`)).status).toBe(400);
      await service.sql.query('update file set downloadable = true where id = $1', [json.id.slice('file-'.length)]);
      const answer = await service.management.get(`/files/${json.id}/content`);
      expect([answer.status, answer.text, answer.headers.get('content-type')]).toEqual([
        200,
        'its bytes',
        'application/octet-stream',
      ]);
    });

    it('does not exist under another id, a malformed one, another workspace, or for another account', async () => {
      const { json } = await upload(service.management, 'mine');
      const { account, workspace } = await service.app.get(Accounts, { strict: false }).create('Other');
      const { secret } = await service.app
        .get(ApiKeys, { strict: false })
        .issue({
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

    it('keeps its workspace from being deleted', async () => {
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
