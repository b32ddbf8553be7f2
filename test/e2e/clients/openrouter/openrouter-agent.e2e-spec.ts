import { callModel, OpenRouter, tool } from '@openrouter/agent';
import { z } from 'zod';
import {
  callItem,
  messageItem,
  namedEventBytes,
  responsesScript,
  vendorEvents,
} from '../../../support/vendors/responses-vendor.js';
import { CHAT_TEXT } from '../../../support/vendors/scripted-chat-vendor.js';
import { TEST_API_KEY } from '../../../support/services/test-service.js';
import { startTextStage, type TextStage } from '../../../support/calls/text-stage.js';

const WHOLE = CHAT_TEXT.join('');

/** `@openrouter/agent`, unmodified. */
describe('@openrouter/agent', () => {
  let stage: TextStage;
  let client: OpenRouter;
  const asked: string[] = [];
  const weather = tool({
    name: 'weather',
    description: 'The weather of a city',
    inputSchema: z.object({ city: z.string() }),
    outputSchema: z.object({ sky: z.string() }),
    execute: ({ city }) => {
      asked.push(city);
      return Promise.resolve({ sky: 'Sunny, 21 degrees' });
    },
  });
  beforeAll(async () => {
    stage = await startTextStage({ env: { WIRE_DIALECT: 'openrouter' } });
    const serverURL = `${stage.service.origin}/api/v1`;
    client = new OpenRouter({ apiKey: TEST_API_KEY, serverURL, retryConfig: { strategy: 'none' } });
  });
  afterAll(() => stage.stop());
  beforeEach(() => asked.splice(0));

  it.each(['builtin/eliza', 'rules/openai', 'rules/deepinfra'])('streams a text of %s', async (model) => {
    const result = callModel(client, { model, input: 'Hello' });
    const pieces: string[] = [];
    for await (const piece of result.getTextStream()) pieces.push(piece);
    expect(pieces.join('')).toBe(model === 'builtin/eliza' ? 'Hello. What would you like to talk about today?' : WHOLE);
    const { usage } = await result.getResponse();
    expect(usage).toMatchObject({ inputTokens: expect.any(Number), cost: expect.any(Number) });
  });

  it('runs a tool for the built-in model', async () => {
    const input = '/call weather {"city":"Kyiv"}';
    const result = callModel(client, { model: 'builtin/eliza', input, tools: [weather] as const });
    expect(await result.getText()).toContain('Sunny, 21 degrees');
    expect(asked).toEqual(['Kyiv']);
  });

  it('runs a tool for a vendor of the same format', async () => {
    stage.vendors.openai.script(responsesScript([callItem('weather', { city: 'Lviv' })], true));
    const result = callModel(client, { model: 'rules/openai', input: 'Weather?', tools: [weather] as const });
    expect(await result.getText()).toBe(WHOLE);
    expect(asked).toEqual(['Lviv']);
    expect(stage.vendors.openai.seen.at(-1)!.json.input.at(-1)).toMatchObject({
      type: 'function_call_output',
      call_id: 'call_1',
      output: expect.stringContaining('Sunny'),
    });
  });

  it.each([
    ['a failure before the stream', { status: 400, body: { error: { message: 'The vendor says no' } } }, /says no/],
    [
      'a failure in the middle of the stream',
      { bytes: namedEventBytes(vendorEvents([messageItem('Hi')]).slice(0, 5)) },
      /before it was complete/,
    ],
  ])('reports %s', async (_, script, message) => {
    stage.vendors.openai.script(script);
    await expect(callModel(client, { model: 'rules/openai', input: 'Hello' }).getText()).rejects.toThrow(message);
  });
});
