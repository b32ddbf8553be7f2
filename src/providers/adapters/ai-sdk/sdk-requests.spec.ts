import { SecretValue } from '../../../kernel/secret-value.js';
import {
  aConversation,
  aTextCall,
  startScriptedTextVendor,
  type SeenCall,
} from '../../../../test/support/vendors/scripted-text-vendor.js';
import { TEXT_VENDORS, type TextVendorFormat } from '../../../../test/support/vendors/text-vendor-formats.js';
import type { Conversation, Message } from '../../../formats/conversation.js';
import type { ConversationCall } from '../../ports/text-adapter.port.js';
import { SdkTextAdapter } from './sdk-text.adapter.js';

const { anthropic, google, bedrock, mistral, cohere } = TEXT_VENDORS;
const text = (value: string, fields: object = {}): { type: 'text'; text: string } => ({
  type: 'text',
  text: value,
  ...fields,
});

describe('requests through the vendors’ packages', () => {
  let vendor: Awaited<ReturnType<typeof startScriptedTextVendor>>;
  beforeAll(async () => {
    vendor = await startScriptedTextVendor();
  });
  afterAll(() => vendor.close());

  async function sent(
    format: TextVendorFormat,
    fields: Partial<Conversation>,
    call: Partial<ConversationCall> = {},
  ): Promise<SeenCall['json']> {
    vendor.turn(format, { text: ['Ok'], finish: format.stop, usage: format.usage }, false);
    await vendor.text.converse(aTextCall(format, aConversation(fields), call));
    return vendor.seen.at(-1)!.json;
  }

  it("use the vendor's names of settings", async () => {
    const settings = { temperature: 0.5, topP: 0.9, topK: 5, stop: ['END'], seed: 3 };
    expect(await sent(anthropic, { settings })).toMatchObject({
      max_tokens: 4_096,
      temperature: 0.5,
      top_k: 5,
      stop_sequences: ['END'],
    });
    expect((await sent(google, { settings })).generationConfig).toMatchObject({
      maxOutputTokens: 4_096,
      temperature: 0.5,
      topP: 0.9,
      topK: 5,
      stopSequences: ['END'],
      seed: 3,
    });
    expect(await sent(mistral, { settings })).toMatchObject({ max_tokens: 4_096, stop: ['END'], random_seed: 3 });
    expect(await sent(cohere, { settings })).toMatchObject({ p: 0.9, k: 5, stop_sequences: ['END'] });
    expect((await sent(bedrock, { settings })).inferenceConfig).toMatchObject({ maxTokens: 4_096, topK: 5 });
  });

  it('have the reserved output tokens as their maximum if the format requires a maximum', async () => {
    const call = { maxOutputTokens: undefined, reservedOutputTokens: 64_000, upstreamModel: 'claude-3-7-sonnet' };
    expect((await sent(anthropic, {}, call)).max_tokens).toBe(64_000);
    expect((await sent(bedrock, {}, { ...call, upstreamModel: bedrock.model })).inferenceConfig.maxTokens).toBe(64_000);
    for (const format of [google, mistral, cohere])
      expect(JSON.stringify(await sent(format, {}, { ...call, upstreamModel: format.model }))).not.toContain('64000');
  });

  it('carry credentials, the end user, the tier and passthrough options', async () => {
    const json = await sent(
      anthropic,
      { serviceTier: 'default', parallelToolCalls: false, tools: [{ name: 'f', parameters: { type: 'object' } }] },
      { endUser: 'hash', options: { inferenceGeo: 'us' } },
    );
    expect(json).toMatchObject({
      metadata: { user_id: 'hash' },
      service_tier: 'standard_only',
      tool_choice: { disable_parallel_tool_use: true },
      inference_geo: 'us',
    });
    expect(vendor.seen.at(-1)!.headers['x-api-key']).toBe(anthropic.credential);
    await sent(bedrock, {});
    expect(vendor.seen.at(-1)!.headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d+\/us-east-1\//,
    );
    const key = new SecretValue(JSON.stringify({ region: 'eu-west-1', apiKey: 'bearer-key' }));
    await sent(bedrock, {}, { credential: key });
    expect(vendor.seen.at(-1)!.headers.authorization).toBe('Bearer bearer-key');
  });

  it('set cache breakpoints if the vendor has them, and a last breakpoint for the whole conversation', async () => {
    const messages: Message[] = [
      { role: 'system', parts: [text('Long'), text('prompt', { cacheControl: { ttl: '1h' } })] },
      { role: 'user', parts: [text('a', { cacheControl: {} }), text('b')] },
    ];
    const tools = [{ name: 'f', parameters: { type: 'object' }, cacheControl: {} }];
    const json = await sent(anthropic, { messages, tools, cacheControl: { ttl: '5m' } });
    expect(json.system).toEqual([
      { type: 'text', text: 'Long' },
      { type: 'text', text: 'prompt', cache_control: { type: 'ephemeral', ttl: '1h' } },
    ]);
    expect(json.messages[0].content).toEqual([
      { type: 'text', text: 'a', cache_control: { type: 'ephemeral' } },
      { type: 'text', text: 'b', cache_control: { type: 'ephemeral', ttl: '5m' } },
    ]);
    expect(json.tools[0].cache_control).toEqual({ type: 'ephemeral' });

    const { messages: sentToBedrock, system } = await sent(bedrock, { messages, cacheControl: {} });
    expect(system).toEqual([{ text: 'Long' }, { text: 'prompt' }, { cachePoint: { type: 'default', ttl: '1h' } }]);
    expect(sentToBedrock[0].content).toEqual([
      { text: 'a' },
      { cachePoint: { type: 'default' } },
      { text: 'b' },
      { cachePoint: { type: 'default' } },
    ]);
    expect(JSON.stringify(await sent(google, { messages }))).not.toMatch(/cache/i);
  });

  it('send a late system message as a user message if the vendor accepts it only at the start', async () => {
    const messages: Message[] = [
      { role: 'user', parts: [text('a')] },
      { role: 'system', parts: [text('late')] },
      { role: 'user', parts: [text('b')] },
    ];
    for (const format of [anthropic, google, bedrock]) {
      const json = await sent(format, { messages });
      expect(JSON.stringify(json.messages ?? json.contents)).toContain('late');
      expect(json.system ?? json.systemInstruction ?? []).toEqual([]);
    }
    expect((await sent(mistral, { messages })).messages[1]).toMatchObject({ role: 'system', content: 'late' });
  });

  it('put the results of parallel calls into one turn, and leave out reasoning of other vendors', async () => {
    const messages: Message[] = [
      { role: 'user', parts: [text('a')] },
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', details: [{ type: 'reasoning.text', text: 'foreign', signature: 's', format: 'x-v1' }] },
          { type: 'tool_call', id: 'c1', name: 'f', arguments: '{"cut' },
          { type: 'tool_call', id: 'c2', name: 'f', arguments: '' },
        ],
      },
      { role: 'tool', results: [{ callId: 'c1', toolName: 'f', parts: [text('1')] }] },
      { role: 'tool', results: [{ callId: 'c2', toolName: 'f', isError: true, parts: [text('2')] }] },
    ];
    const tools = [{ name: 'f', parameters: { type: 'object' } }];
    const { contents } = await sent(google, { messages, tools });
    expect(contents).toHaveLength(3);
    expect(contents[2].parts).toHaveLength(2);
    expect(contents[1].parts[0].functionCall.args).toEqual({ arguments: '{"cut' });
    const json = await sent(anthropic, { messages, tools });
    expect(json.messages[2].content).toMatchObject([
      { type: 'tool_result', tool_use_id: 'c1', content: '1' },
      { type: 'tool_result', tool_use_id: 'c2', content: '2', is_error: true },
    ]);
    expect(JSON.stringify(json)).not.toContain('foreign');
  });

  it('replace ids of tool calls that the vendor refuses, without collisions', async () => {
    const ids = ['call|1:2', 'functions.f:0', 'call_1_2', 'call|1.2', 'x'.repeat(65)];
    const messages: Message[] = [
      { role: 'user', parts: [text('a')] },
      { role: 'assistant', parts: ids.map((id) => ({ type: 'tool_call', id, name: 'f', arguments: '{}' })) },
      { role: 'tool', results: ids.map((callId) => ({ callId, toolName: 'f', parts: [text(callId)] })) },
    ];
    const tools = [{ name: 'f', parameters: { type: 'object' } }];
    const { messages: toClaude } = await sent(anthropic, { messages, tools });
    const used = toClaude[1].content.map(({ id }: { id: string }) => id);
    expect(used.filter((id: string) => !/^[a-zA-Z0-9_-]+$/.test(id))).toEqual([]);
    expect([used[2], new Set(used).size]).toEqual(['call_1_2', ids.length]);
    expect(toClaude[2].content.map((block: { tool_use_id: string }) => block.tool_use_id)).toEqual(used);
    expect((await sent(anthropic, { messages, tools })).messages).toEqual(toClaude);
    const { messages: toBedrock } = await sent(bedrock, { messages, tools });
    const blocks = toBedrock[1].content as { toolUse: { toolUseId: string } }[];
    expect(blocks.filter(({ toolUse }) => !/^[a-zA-Z0-9_-]{1,64}$/.test(toolUse.toolUseId))).toEqual([]);
    expect((await sent(cohere, { messages, tools })).messages[1].tool_calls[0].id).toBe(ids[0]);
  });

  it('ask for structured output', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false };
    const responseFormat = { type: 'json_schema', name: 'x', schema } as const;
    expect((await sent(google, { responseFormat })).generationConfig).toMatchObject({
      responseMimeType: 'application/json',
    });
    expect((await sent(mistral, { responseFormat })).response_format).toMatchObject({ type: 'json_schema' });
    expect((await sent(cohere, { responseFormat })).response_format).toMatchObject({ type: 'json_object' });
    expect((await sent(anthropic, { responseFormat })).output_config.format.type).toBe('json_schema');
  });

  it('contain pictures that the gateway fetched if the vendor does not fetch pictures', async () => {
    const url = 'https://example.com/a.png';
    const part = { type: 'image', source: { url } } as const;
    const messages: Message[] = [{ role: 'user', parts: [part, part] }];
    expect(JSON.stringify(await sent(anthropic, { messages }))).toContain(url);
    await expect(sent(bedrock, { messages })).rejects.toMatchObject({ kind: 'invalid_request' });

    const fetched: (readonly string[])[] = [];
    const adapter = new SdkTextAdapter(vendor.calls, {
      fetchAll: async (urls) => {
        fetched.push(urls);
        return [{ bytes: Buffer.from('picture'), mediaType: 'image/png' }];
      },
    });
    vendor.turn(bedrock, { text: ['Ok'], finish: 'end_turn', usage: bedrock.usage }, false);
    await adapter.converse(aTextCall(bedrock, aConversation({ messages })));
    expect(fetched).toEqual([[url]]);
    expect(vendor.seen.at(-1)!.json.messages[0].content[1]).toEqual({
      image: { format: 'png', source: { bytes: Buffer.from('picture').toString('base64') } },
    });
    const video: Message[] = [
      { role: 'user', parts: [{ type: 'video', source: { url: 'https://example.com/a.mp4' } }] },
    ];
    await expect(adapter.converse(aTextCall(bedrock, aConversation({ messages: video })))).rejects.toMatchObject({
      kind: 'invalid_request',
    });
  });

  it('that the vendor’s format cannot express are refused as invalid', async () => {
    const source = { base64: 'AAAA', mediaType: 'video/mp4' };
    const messages: Message[] = [{ role: 'user', parts: [{ type: 'video', source }] }];
    await expect(sent(anthropic, { messages })).rejects.toMatchObject({
      kind: 'invalid_request',
      message: expect.stringContaining('video/mp4'),
    });
    await expect(sent(anthropic, {}, { options: { thinking: 7 } })).rejects.toMatchObject({ kind: 'invalid_request' });
  });

  it('are billed to the end for vendors that cannot cancel a call', () => {
    const bills = (name: string, provider = 'x'): boolean => vendor.text.billsToTheEnd({ package: name, provider });
    for (const name of ['amazon-bedrock', 'google', 'google-vertex', 'google-vertex/anthropic', 'mistral'])
      expect(bills(`@ai-sdk/${name}`)).toBe(true);
    for (const name of ['anthropic', 'cohere', 'azure', 'xai']) expect(bills(`@ai-sdk/${name}`)).toBe(false);
    expect(bills('@ai-sdk/anthropic', 'minimax')).toBe(true);
    expect(bills('left-pad')).toBe(false);
  });
});
