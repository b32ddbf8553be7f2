import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { FILE_SAMPLES, zip, zipOf } from '../../support/files/file-samples.js';
import { formOf, keptBelow, upload } from '../../support/files/file-uploads.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';
import { temporaryRoot } from '../../support/temporary-folder.js';

describe('the upload of a file', () => {
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

  it.each(FILE_SAMPLES)('detects %s from the contents, for any file name', async (mimeType, bytes) => {
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
  ])('stores %j with the name %s as %s', async (text, name, mimeType) => {
    const answer = await upload(service.management, text, name);

    expect([answer.status, answer.json.mime_type]).toEqual([200, mimeType]);
  });

  it.each([
    ['image/png', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
    ['image/png', Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(40)])],
    ['image/jpeg', Buffer.from([0xff, 0xd8, 0xff])],
    ['image/gif', Buffer.from('GIF89a\x01\x00', 'latin1')],
    ['audio/ogg', Buffer.from('OggS\x00\x02', 'latin1')],
    ['audio/ogg', Buffer.concat([Buffer.from('OggS\x00\x02', 'latin1'), Buffer.alloc(40)])],
    ['audio/mpeg', Buffer.from('ID3\x03\x00\x00\x00\x00\x00\x00', 'latin1')],
  ])('detects %s from the signature, even with few bytes after the signature', async (mimeType, bytes) => {
    expect((await upload(service.management, bytes, 'x')).json.mime_type).toBe(mimeType);
  });

  it('detects an office document from its directory if its first bytes are not enough', async () => {
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
    ['bytes that are all zero', Buffer.alloc(5_000)],
    ['UTF-16 text', Buffer.from('\u{FEFF}hello', 'utf16le')],
    ['Latin-1 text', Buffer.from('Grüße', 'latin1')],
    ['text cut off within a character', Buffer.from('Grüß').subarray(0, -1)],
    ['text that turns binary after 100 kB', Buffer.concat([Buffer.alloc(100_000, 0x61), Buffer.from([0xff])])],
    ['a bitmap', Buffer.concat([Buffer.from('BM'), Buffer.alloc(300, 0xfe)])],
    ['a video', Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypisom'), Buffer.alloc(300, 0xfe)])],
    ['only the first three bytes of a picture', Buffer.from('\x89PN', 'latin1')],
    ['zeros after the text PDF', Buffer.concat([Buffer.from('PDF'), Buffer.alloc(500)])],
    ['a single byte that is not text', Buffer.from([0xff])],
  ])('stores %s as application/octet-stream, for any file name', async (_, bytes) => {
    const before = new Set(await keptBelow(dataDir));
    const answer = await upload(service.management, bytes, 'image.png');

    expect([answer.status, answer.json.mime_type, answer.json.size_bytes]).toEqual([
      200,
      'application/octet-stream',
      bytes.length,
    ]);
    const [kept] = (await keptBelow(dataDir)).filter((path) => !before.has(path));
    expect((await readFile(kept!)).equals(bytes)).toBe(true);
  });

  it('never uses the media type in the header of the part', async () => {
    const form = formOf(Buffer.from([0xff, 0xfe]), 'x.pdf', 'application/pdf');
    expect((await service.management.post('/files', { body: form })).json.mime_type).toBe('application/octet-stream');
  });
});
