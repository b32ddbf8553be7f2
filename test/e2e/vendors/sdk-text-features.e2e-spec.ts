import { modelOf, startSdkTextStage, type SdkTextStage } from '../../support/vendors/sdk-text-stage.js';
import { PACKAGE_VENDORS } from '../../support/vendors/openai-formats.js';
import { streamedChunks, streamedText } from '../../support/calls/text-stage.js';

let stage: SdkTextStage;
beforeAll(async () => (stage = await startSdkTextStage()), 120_000);
afterAll(() => stage.stop());

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const NAMES = Object.keys(PACKAGE_VENDORS);
const SIGNATURE = 'c2lnbmF0dXJl+/=='.repeat(3);
const reasoning = { text: 'They greet me.', signature: SIGNATURE };
const user = { role: 'user', content: 'Hello' };

describe('a chat through a package', () => {
  it.each(
    ['anthropic', 'vertex-anthropic', 'bedrock', 'google', 'vertex', 'xai'].flatMap((name) => [
      [name, false] as const,
      [name, true] as const,
    ]),
  )('with %s returns reasoning with its signature, which goes back unchanged (streamed: %s)', async (name, stream) => {
    const settings = { reasoning: { max_tokens: 2_000 }, max_tokens: 4_000, stream };
    const answer = await stage.chat(name, { reasoning, text: ['Hi'] }, settings);
    expect(answer.status).toBe(200);
    const deltas = stream ? streamedChunks(answer).flatMap(({ choices }) => choices) : [];
    const message = stream
      ? {
          reasoning: deltas.map(({ delta }) => delta.reasoning ?? '').join(''),
          reasoning_details: deltas.flatMap(({ delta }) => delta.reasoning_details ?? []),
        }
      : answer.json.choices[0].message;
    expect(message.reasoning).toBe(reasoning.text);
    const echoed = { role: 'assistant', content: 'Hi', reasoning_details: message.reasoning_details };
    const again = await stage.chat(
      name,
      { text: ['Ok'] },
      { ...settings, messages: [user, echoed, { role: 'user', content: 'And?' }] },
    );
    expect(again.status).toBe(200);
    const claude = { type: 'thinking', thinking: reasoning.text, signature: SIGNATURE };
    const gemini = { text: reasoning.text, thought: true, thoughtSignature: SIGNATURE };
    const parts: Readonly<Record<string, object>> = {
      anthropic: claude,
      'vertex-anthropic': claude,
      bedrock: { reasoningContent: { reasoningText: reasoning } },
      google: gemini,
      vertex: gemini,
      xai: expect.objectContaining({ type: 'reasoning', encrypted_content: SIGNATURE }),
    };
    const { messages, contents, input } = stage.sent();
    const turn = (messages ?? contents ?? input)[1];
    expect((turn.content ?? turn.parts ?? [turn])[0]).toEqual(parts[name]);
  });

  it('omits the reasoning that the caller excludes, but bills it', async () => {
    for (const stream of [false, true]) {
      const answer = await stage.chat('google', { reasoning, text: ['Hi'] }, { reasoning: { exclude: true }, stream });
      expect(answer.text).not.toContain('greet');
      const { usage } = stream ? streamedChunks(answer).at(-1) : answer.json;
      expect(usage).toMatchObject({ cost: 0.000307, completion_tokens_details: { reasoning_tokens: 2 } });
    }
  });

  it('sets cache breakpoints only for vendors that support them', async () => {
    const cached = (text: string): object => ({ type: 'text', text, cache_control: { type: 'ephemeral', ttl: '1h' } });
    const messages = [
      { role: 'system', content: [cached('Long')] },
      { role: 'user', content: [cached('a'), { type: 'text', text: 'b' }] },
    ];
    const control = { type: 'ephemeral', ttl: '1h' };
    for (const name of ['anthropic', 'vertex-anthropic']) {
      expect((await stage.chat(name, { text: ['Ok'] }, { messages })).status).toBe(200);
      expect(stage.sent().system[0]).toMatchObject({ text: 'Long', cache_control: control });
      expect(stage.sent().messages[0].content).toEqual([
        { type: 'text', text: 'a', cache_control: control },
        { type: 'text', text: 'b' },
      ]);
    }
    expect((await stage.chat('bedrock', { text: ['Ok'] }, { messages })).status).toBe(200);
    expect(stage.sent().system).toEqual([{ text: 'Long' }, { cachePoint: { type: 'default', ttl: '1h' } }]);
    for (const name of ['google', 'mistral', 'cohere', 'azure', 'xai']) {
      expect((await stage.chat(name, { text: ['Ok'] }, { messages })).status).toBe(200);
      expect(JSON.stringify(stage.sent())).not.toMatch(/cache_?control|cachePoint/i);
    }
  });

  it.each(NAMES)('with %s sends a picture', async (name) => {
    const url = `data:image/png;base64,${PIXEL}`;
    const content = [
      { type: 'text', text: 'See' },
      { type: 'image_url', image_url: { url } },
    ];
    const answer = await stage.chat(name, { text: ['Ok'] }, { messages: [{ role: 'user', content }] });
    expect(answer.status).toBe(200);
    expect(JSON.stringify(stage.sent())).toContain(PIXEL);
  });

  it.each(NAMES)('with %s requests structured output and returns it as content', async (name) => {
    const schema = {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    };
    const format = { type: 'json_schema', json_schema: { name: 'place', strict: true, schema } };
    for (const stream of [false, true]) {
      const json = '{"city":"Vienna"}';
      // If a vendor does not support this format, its package converts the schema to a tool.
      const call = { id: 'call00001', name: 'json', input: { city: 'Vienna' } };
      const probe = await stage.chat(name, { text: [json] }, { response_format: format, stream });
      expect(probe.status).toBe(200);
      const sent = JSON.stringify(stage.sent());
      expect(sent).toContain('"city"');
      const isTool = /"name":"json"/.test(sent) && /tool_?choice/i.test(sent);
      const answer = isTool
        ? await stage.chat(name, { call, finish: 'tool_use' }, { response_format: format, stream })
        : probe;
      expect(stream ? streamedText(answer) : answer.json.choices[0].message.content).toBe(json);
      const finish = (stream ? streamedChunks(answer).at(-2) : answer.json).choices[0].finish_reason;
      expect(finish).toBe('stop');
    }
  });

  it.each(NAMES)(
    "with %s reports a vendor's failure as a status before the stream, and as a chunk within the stream",
    async (name) => {
      const format = PACKAGE_VENDORS[name]!;
      const post = (stream: boolean) =>
        stage.service.standard.post('/chat/completions', { json: { model: modelOf(name), messages: [user], stream } });
      for (const stream of [false, true])
        for (const [status, expected, type, headers] of [
          [400, 400, 'invalid_request', {}],
          [401, 502, 'provider_unavailable', {}],
          [429, 429, 'rate_limit_exceeded', { 'retry-after': '7' }],
          [500, 502, 'provider_unavailable', {}],
          [503, 529, 'provider_overloaded', {}],
        ] as const) {
          stage.vendor.clear();
          stage.vendor.reply((response) => {
            response.writeHead(status, { 'content-type': 'application/json', ...headers });
            response.end(JSON.stringify(format.errorBody));
          });
          const answer = await post(stream);
          expect([answer.status, answer.json.error.metadata.error_type]).toEqual([expected, type]);
          if (status === 429) expect(answer.headers.get('retry-after')).toBe('7');
          if (status === 400)
            expect(answer.json.error.message).toMatch(/Bad|max_tokens|Invalid value|identifier|temperature/);
        }
      stage.vendor.clear();
      stage.vendor.reply((response) => {
        const events = format.events({ text: ['one ', 'two '], finish: format.stop, usage: format.usage });
        const first = events.findIndex((event) => event.includes('one '));
        response.writeHead(200, { 'content-type': format.contentType });
        response.end(Buffer.concat([...events.slice(0, first + 1), format.errorEvent]));
      });
      const answer = await post(true);
      expect(answer.status).toBe(200);
      const last = streamedChunks(answer).at(-1);
      expect(streamedText(answer)).toBe('one ');
      expect([502, 529]).toContain(last.error.code);
      expect(last).toMatchObject({
        error: { metadata: { error_type: expect.stringMatching(/^provider_/) } },
        choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }],
      });
    },
  );
});
