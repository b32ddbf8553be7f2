import { Catalogue } from '../../../src/catalogue/catalogue.js';
import type { ApiAnswer } from '../../support/api/api-client.js';
import { FILE_SAMPLES } from '../../support/files/file-samples.js';
import { upload } from '../../support/files/file-uploads.js';
import { startTextStage, streamedText, type TextStage } from '../../support/calls/text-stage.js';

const samples = new Map(FILE_SAMPLES);
const PDF = samples.get('application/pdf')!;
const TEXT = Buffer.from('The quick brown fox.');
const LIMIT_BYTES = 16_384;
const dataUrl = (type: string, bytes: Buffer): string => `data:${type};base64,${bytes.toString('base64')}`;
const named = (fileId: unknown): object => ({ type: 'file', file: { file_id: fileId } });
const asking = (...parts: object[]): object[] => [
  { role: 'user', content: [{ type: 'text', text: 'What is it?' }, ...parts] },
];

describe('an uploaded file in a chat request', () => {
  let stage: TextStage;
  beforeAll(async () => {
    stage = await startTextStage({ env: { CHAT_BODY_LIMIT_BYTES: String(LIMIT_BYTES) } });
    stage.teach('rules/blind', stage.service.app.get(Catalogue, { strict: false }).find('rules/openai')!.endpoints);
  });
  afterAll(() => stage.stop());

  const uploaded = async (bytes: Buffer, name = 'fox.txt'): Promise<string> => {
    const { status, json } = await upload(stage.service.management, bytes, name);
    expect(status).toBe(200);
    return json.id;
  };
  const uses = (id: string): Promise<{ actor: string; key_hash: string; request_id: string; address: string }[]> =>
    stage.service.sql.query(
      `select actor, key_hash, request_id, host(address::inet) as address from audit_entry
       where action = 'use' and resource_kind = 'file' and resource_id = $1`,
      [id],
    );
  const sentToOpenai = (): { content: unknown[] } => stage.vendors.openai.seen.at(-1)!.json.messages.at(-1);
  const refused = async (messages: object[], more: object = {}): Promise<ApiAnswer> => {
    const before = stage.vendors.openai.seen.length;
    const answer = await stage.chat({ messages, ...more });
    expect(stage.vendors.openai.seen).toHaveLength(before);
    return answer;
  };

  it.each([
    ['application/pdf', { type: 'file', file: { filename: 'fox.txt', file_data: dataUrl('application/pdf', PDF) } }],
    ['image/png', { type: 'image_url', image_url: { url: dataUrl('image/png', samples.get('image/png')!) } }],
    ['image/webp', { type: 'image_url', image_url: { url: dataUrl('image/webp', samples.get('image/webp')!) } }],
    ['audio/mpeg', { type: 'input_audio', input_audio: { data: base64Of('audio/mpeg'), format: 'mp3' } }],
    ['audio/wav', { type: 'input_audio', input_audio: { data: base64Of('audio/wav'), format: 'wav' } }],
  ])('of type %s is sent inline to the vendor, in a part of the matching kind', async (type, part) => {
    const id = await uploaded(samples.get(type)!);
    expect((await stage.chat({ messages: asking(named(id)) })).status).toBe(200);
    expect(sentToOpenai().content[1]).toEqual(part);
    expect(stage.vendors.openai.seen.at(-1)!.raw.toString()).not.toContain('file_id');
  });

  it('keeps the other members of its part, and the bytes of the other members of the body', async () => {
    const id = await uploaded(TEXT);
    const part = `{"type":"file","file":{"file_id":"${id}","filename":"mine.txt"},"x_part":1}`;
    const head = '{"x_number":1.50,"x_text":"\\u00e9","messages":';
    const body = `${head}[{"role":"user","content":[${part}]}],"model":"rules/openai","x_last":1e2}`;
    expect((await stage.chat(body)).status).toBe(200);
    const raw = stage.vendors.openai.seen.at(-1)!.raw.toString();
    expect(raw.startsWith(head)).toBe(true);
    expect(raw.endsWith('"x_last":1e2}')).toBe(true);
    const file = { filename: 'mine.txt', file_data: dataUrl('text/plain', TEXT) };
    expect(sentToOpenai().content).toEqual([{ type: 'file', file, x_part: 1 }]);
  });

  it('goes to vendors of other formats in the canonical form, buffered and streamed', async () => {
    const id = await uploaded(PDF);
    for (const stream of [false, true]) {
      stage.claude({ text: ['A fox'] }, stream);
      const answer = await stage.chat({ model: 'rules/anthropic', messages: asking(named(id)), stream });
      expect(answer.status).toBe(200);
      expect(stream ? streamedText(answer) : answer.json.choices[0].message.content).toBe('A fox');
      const source = { type: 'base64', media_type: 'application/pdf', data: PDF.toString('base64') };
      const { content } = stage.anthropic.seen.at(-1)!.json.messages[0];
      expect(content[1]).toMatchObject({ type: 'document', source });
    }
  });

  it('is audited once for each request that uses it, with the key', async () => {
    const id = await uploaded(TEXT);
    expect((await stage.chat({ messages: asking(named(id), named(id)) })).status).toBe(200);
    expect(await uses(id)).toEqual([
      {
        actor: 'key',
        key_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        request_id: expect.any(String),
        address: '127.0.0.1',
      },
    ]);
    await stage.chat({ messages: asking(named(id)), stream: true });
    expect(await uses(id)).toHaveLength(2);
  });

  it('is counted as media of the prompt in the generation record', async () => {
    const [pdf, sound] = [await uploaded(PDF), await uploaded(samples.get('audio/wav')!)];
    const { headers } = await stage.chat({ messages: asking(named(pdf), named(sound)) });
    const record = await stage.service.standard.get(`/generation?id=${headers.get('x-generation-id')}`);
    expect(record.json.data).toMatchObject({ num_media_prompt: 1, num_input_audio_prompt: 1 });
  });

  it('is reserved with the whole context, because its tokens are unknown', async () => {
    const id = await uploaded(PDF);
    // A context of 8,000 tokens at 1 USD per million costs 0.008 USD.
    const { json } = await stage.service.management.post('/keys', { json: { name: 'k', limit: 0.006 } });
    const call = (...parts: object[]) => stage.chat({ messages: asking(...parts), max_tokens: 10 }, { key: json.key });
    expect((await call()).status).toBe(200);
    expect((await call(named(id))).status).toBe(402);
  });

  it('counts towards the limit of the body like inline data', async () => {
    const id = await uploaded(Buffer.alloc(9_000, 'a'));
    const bodyOf = (padding: number): string =>
      JSON.stringify({ model: 'rules/openai', messages: asking(named(id)), x: 'x'.repeat(padding) });
    const room = LIMIT_BYTES - 12_000 - bodyOf(0).length;
    expect((await stage.chat(bodyOf(room))).status).toBe(200);
    const { status, json } = await stage.chat(bodyOf(room + 1));
    expect([status, json.error.message]).toEqual([413, expect.stringContaining(String(LIMIT_BYTES))]);
  });

  it('is refused if its type is unknown, or if no endpoint accepts this type', async () => {
    const unknown = await refused(asking(named(await uploaded(Buffer.from([0, 1, 2, 3, 255])))));
    expect([unknown.status, unknown.json.error.message]).toEqual([400, expect.stringContaining('no model can read')]);
    const picture = await uploaded(samples.get('image/png')!);
    const unfit = await refused(asking(named(picture)), { model: 'rules/blind' });
    expect([unfit.status, unfit.json.error.message]).toEqual([404, expect.stringContaining('image')]);
  });

  it('is refused if the request has more than 20 different files', async () => {
    const ids = await Promise.all(Array.from({ length: 21 }, (_, n) => uploaded(Buffer.from(`file ${n}`))));
    expect((await stage.chat({ messages: asking(...ids.slice(1).map(named)) })).status).toBe(200);
    expect((await refused(asking(...ids.map(named)))).status).toBe(400);
  });

  it.each([
    ['an id of another type', asking(named(7))],
    [
      'an id next to file_data',
      asking({ type: 'file', file: { file_id: 'file-1', file_data: dataUrl('text/plain', TEXT) } }),
    ],
    ['a file part without an id and without data', asking({ type: 'file', file: { filename: 'a' } })],
    [
      'an id next to the file',
      asking({ type: 'file', file_id: 'file-1', file: { file_data: dataUrl('text/plain', TEXT) } }),
    ],
    ['an id in a part without a file', asking({ type: 'input_file', file_id: 'file-1' })],
    [
      'an id in a part for a picture',
      asking({ type: 'image_url', image_url: { url: 'https://a.example/b', file_id: 'file-1' } }),
    ],
    ['an id in a part of an unknown type', asking({ type: 'new', new: [{ inner: { File_Id: 'file-1' } }] })],
  ])('is refused: %s', async (_, messages) => {
    expect((await refused(messages)).status).toBe(400);
  });

  it('is ignored in a member that a later member of the same name replaces', async () => {
    const hidden = '[{"type":"file","file":{"\\u0066ile_id":"file-of-the-operator"}}]';
    const body = `{"model":"rules/openai","messages":[{"role":"user","content":${hidden},"content":"Hello"}]}`;
    expect((await stage.chat(body)).status).toBe(200);
    expect(stage.vendors.openai.seen.at(-1)!.raw.toString()).toBe(
      '{"model":"vendor-model","messages":[{"role":"user","content":"Hello"}]}',
    );
  });

  it('is not looked up for texts and tools that only mention file_id', async () => {
    const tools = [
      { type: 'function', function: { name: 'f', parameters: { properties: { file_id: { type: 'string' } } } } },
    ];
    const messages = [{ role: 'user', content: [{ type: 'text', text: '{"file_id":"file-1"}' }] }];
    expect((await stage.chat({ messages, tools })).status).toBe(200);
    expect(stage.vendors.openai.seen.at(-1)!.json).toMatchObject({ messages, tools });
  });
});

function base64Of(type: string): string {
  return samples.get(type)!.toString('base64');
}
