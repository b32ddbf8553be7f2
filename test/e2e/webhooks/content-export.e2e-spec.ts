import { randomBytes } from 'node:crypto';
import { makeKey, type MadeKey } from '../../support/api/api-builders.js';
import { LEXICAL, startAudioStage, WHISPER, type AudioStage } from '../../support/calls/audio-stage.js';
import { aModel } from '../../support/catalogue/catalogue-builder.js';
import { eventually } from '../../support/eventually.js';
import { startOtlpCollector, type OtlpCollector } from '../../support/engines/otlp-collector.js';
import { aWav } from '../../support/files/recordings.js';
import { CHAT_TEXT } from '../../support/vendors/scripted-chat-vendor.js';
import { teachModels } from '../../support/catalogue/test-catalogue.js';
import { aTextEndpoint } from '../../support/calls/text-stage.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/engines/webhook-receiver.js';

const MAX_CONTENT_BYTES = 65_536;
const CHAT = 'test/chats';
const SPOKEN = CHAT_TEXT.join('');
/** Each kind of call with its prompt and the text of its response. Null = no text. */
const CALLS: readonly (readonly [
  name: string,
  path: string,
  body: (prompt: string) => object,
  output: string | null,
])[] = [
  ['a chat', '/chat/completions', (prompt) => ({ model: CHAT, messages: asked(prompt) }), SPOKEN],
  [
    'a streamed chat',
    '/chat/completions',
    (prompt) => ({ model: CHAT, messages: asked(prompt), stream: true }),
    SPOKEN,
  ],
  ['a response', '/responses', (prompt) => ({ model: CHAT, input: prompt }), SPOKEN],
  ['a streamed response', '/responses', (prompt) => ({ model: CHAT, input: asked(prompt), stream: true }), SPOKEN],
  ['a message', '/messages', (prompt) => ({ model: CHAT, max_tokens: 9, messages: asked(prompt) }), SPOKEN],
  [
    'a streamed message',
    '/messages',
    (prompt) => ({ model: CHAT, max_tokens: 9, messages: asked([{ type: 'text', text: prompt }]), stream: true }),
    SPOKEN,
  ],
  ['a completion', '/completions', (prompt) => ({ model: 'test/continues', prompt }), ' a tree'],
  ['an embedding', '/embeddings', (prompt) => ({ model: LEXICAL, input: ['Other', prompt] }), null],
  ['a ranking', '/rerank', (prompt) => ({ model: LEXICAL, query: 'Hi', documents: [{ text: prompt }] }), null],
  ['a picture', '/images', (prompt) => ({ model: 'builtin/poster', prompt, size: '64x64' }), null],
  ['speech', '/audio/speech', (prompt) => ({ model: 'builtin/flite', voice: 'slt', input: prompt }), null],
];
const asked = (content: unknown): object[] => [{ role: 'user', content }];
const newMark = (): string => `mark${randomBytes(8).toString('hex')}`;

describe('the export of contents', () => {
  let stage: AudioStage;
  let receiver: WebhookReceiver;
  let collector: OtlpCollector;
  let optedIn: MadeKey;
  let silent: MadeKey;
  let log = '';
  beforeAll(async () => {
    receiver = await startWebhookReceiver();
    collector = await startOtlpCollector();
    const env = {
      WEBHOOK_PRIVATE_HOSTS: '127.0.0.1',
      INTERN_RUNTIME: 'none',
      LOG_LEVEL: 'debug',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.endpoint}/v1/traces`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '50',
    };
    stage = await startAudioStage(env, { logTo: (text) => (log += text) });
    const { service } = stage;
    teachModels(service, [
      aModel(CHAT, { endpoints: [aTextEndpoint('openai')] }),
      aModel('test/continues', { endpoints: [aTextEndpoint('togetherai')] }),
    ]);
    optedIn = await makeKey(service.management);
    silent = await makeKey(service.management);
    await setExport(optedIn, true);
  });
  afterAll(async () => {
    await stage.stop();
    await receiver.close();
    await collector.close();
  });

  const setExport = async (key: MadeKey, exports: boolean): Promise<void> => {
    const settings = { json: { export_content: exports } };
    expect((await stage.service.management.put(`/keys/${key.hash}/settings`, settings)).status).toBe(200);
  };
  const call = async ({ key }: MadeKey, path: string, json: object): Promise<string> => {
    const response = await stage.service.as(key).post(path, { json });
    expect([path, response.status]).toEqual([path, 200]);
    return response.headers.get('x-generation-id')!;
  };
  // oxlint-disable-next-line typescript/no-explicit-any
  const recordOf = (id: string): Promise<any> =>
    eventually(async () => {
      const records = receiver.ofType('generation.batch').flatMap(({ json }) => json.data.generations);
      const found = records.find((record: { id: string }) => record.id === id);
      expect(found).toBeDefined();
      return found;
    }, 20_000);
  const tablesWith = async (mark: string): Promise<string[]> => {
    const { sql } = stage.service;
    const tables = await sql.query<{ name: string }>(
      `select relname as name from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
    );
    const found: string[] = [];
    for (const { name } of tables)
      if (
        (await sql.query(`select 1 as one from "${name}" t where to_jsonb(t)::text like $1`, [`%${mark}%`])).length > 0
      )
        found.push(name);
    return found;
  };
  const isGone = (mark: string): Promise<void> =>
    eventually(async () => expect(await tablesWith(mark)).toEqual([]), 20_000);

  it('keeps no contents of a key with export_content while no webhook subscribes to records', async () => {
    const mark = newMark();
    await call(optedIn, '/chat/completions', { model: CHAT, messages: asked(mark) });
    expect(await tablesWith(mark)).toEqual([]);
  });

  describe('to a webhook', () => {
    beforeAll(async () => {
      const events = ['generation.completed'];
      const { management, sql } = stage.service;
      for (const webhook of [
        { url: receiver.url, events },
        { url: `${receiver.url}/v1/logs`, events, format: 'otlp' },
      ])
        expect((await management.post('/webhooks', { json: webhook })).status).toBe(201);
      await eventually(async () => {
        const [row] = await sql.query<{ seen: string | null }>('select seen::text as seen from export_position');
        expect(row!.seen).not.toBeNull();
      });
    });

    it.each(CALLS)('has the prompt and the text of %s', async (_, path, bodyOf, output) => {
      const mark = newMark();
      const record = await recordOf(await call(optedIn, path, bodyOf(mark)));
      expect(record.input_messages.at(-1)).toEqual({ role: 'user', parts: [{ type: 'text', content: mark }] });
      expect(record.output_messages.map(({ parts }: { parts: unknown }) => parts)).toEqual(
        output === null ? [] : [[{ type: 'text', content: output }]],
      );
      expect(record.content_truncated).toBe(false);
      await isGone(mark);
    });

    it('has the text of a transcription', async () => {
      const input_audio = { data: aWav(2).toString('base64'), format: 'wav' };
      const { output_messages: output } = await recordOf(
        await call(optedIn, '/audio/transcriptions', { model: WHISPER, input_audio }),
      );
      expect(output[0].parts[0].content.length).toBeGreaterThan(0);
    });

    it('uses the attribute names of OpenTelemetry in OTLP logs', async () => {
      const mark = newMark();
      await call(optedIn, '/chat/completions', { model: CHAT, messages: asked(mark) });
      const line = await eventually(async () => {
        const found = receiver.seen
          .filter(({ path }) => path.endsWith('/v1/logs'))
          // oxlint-disable-next-line typescript/no-explicit-any
          .flatMap(({ json }) => json.resourceLogs[0].scopeLogs[0].logRecords as any[])
          .find((record) => JSON.stringify(record).includes(mark));
        expect(found).toBeDefined();
        return found;
      }, 20_000);
      const textOf = (name: string): string =>
        line.attributes.find(({ key }: { key: string }) => key === name).value.stringValue;
      expect(JSON.parse(textOf('gen_ai.input.messages'))[0].parts[0].content).toBe(mark);
      expect(JSON.parse(textOf('gen_ai.output.messages'))[0].parts[0].content).toBe(SPOKEN);
    });

    it('is shortened to 64 KiB, and marked as shortened', async () => {
      const long = `\u0000\ud800${'é'.repeat(MAX_CONTENT_BYTES)}`;
      const record = await recordOf(await call(optedIn, '/chat/completions', { model: CHAT, messages: asked(long) }));
      const { content } = record.input_messages[0].parts[0];
      expect(record.content_truncated).toBe(true);
      expect(content).toMatch(/^\ufffd\ufffdé+$/);
      expect(Buffer.byteLength(content)).toBeGreaterThan(MAX_CONTENT_BYTES - 100);
      expect(Buffer.byteLength(content)).toBeLessThanOrEqual(MAX_CONTENT_BYTES);
    });

    it('stops for calls after the setting was switched off', async () => {
      await setExport(optedIn, false);
      const mark = newMark();
      const record = await recordOf(await call(optedIn, '/chat/completions', { model: CHAT, messages: asked(mark) }));
      await setExport(optedIn, true);
      expect(Object.keys(record)).not.toContain('input_messages');
    });

    it('writes nothing of calls of a key without export_content to records, traces, log or database', async () => {
      const mark = newMark();
      const ids: string[] = [];
      for (const [, path, bodyOf] of CALLS) ids.push(await call(silent, path, bodyOf(mark)));
      for (const id of ids) {
        const record = await recordOf(id);
        for (const name of ['input_messages', 'output_messages', 'content_truncated'])
          expect(Object.keys(record)).not.toContain(name);
      }
      await eventually(async () => {
        const traced = collector.spans().map(({ attributes }) => attributes['gatehouse.generation_id']);
        expect(ids.filter((id) => !traced.includes(id))).toEqual([]);
      });
      const sent = [...receiver.seen.map(({ body }) => body), ...collector.requests.map(({ text }) => text), log];
      expect(sent.filter((text) => text.includes(mark))).toEqual([]);
      expect(await tablesWith(mark)).toEqual([]);
    });
  });
});
