import { relayBody, writtenBody } from '../../../src/inference/capabilities/text-response.js';
import { WIRE_FORMATS } from '../../support/vendors/wire-formats.js';
import { HELLO, user, VENDOR_FORMATS, type Client, type Vendor } from './format-pair.js';
import { CLIENT_FORMATS, CLIENTS, startPairStage, type PairStage } from './pair-stage.js';

// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;

let stage: PairStage;
beforeAll(async () => (stage = await startPairStage()));
afterAll(() => stage.close());

const CALL = { id: 'call_1', name: 'weather', input: { city: 'Rome' } };
const TURN = { reasoning: { text: 'hm', signature: 'sealed' }, text: ['Hello'], call: CALL };
const FINISH = { chat: 'tool_calls', responses: 'completed', messages: 'tool_use' };
const PARAMETERS = { type: 'object', properties: { city: { type: 'string' } } };

const FIRST: Readonly<Record<Client, Readonly<Record<string, unknown>>>> = {
  chat: {
    messages: [HELLO],
    tools: [{ type: 'function', function: { name: CALL.name, parameters: PARAMETERS } }],
  },
  responses: { input: [HELLO], tools: [{ type: 'function', name: CALL.name, parameters: PARAMETERS }] },
  messages: { messages: [HELLO], tools: [{ name: CALL.name, input_schema: PARAMETERS }] },
};

/** The next request of a client: the response, followed by the result of its tool. */
const NEXT: Readonly<Record<Client, (response: Body) => object>> = {
  chat: ({ choices }) => ({
    ...FIRST.chat,
    messages: [HELLO, choices[0].message, { role: 'tool', tool_call_id: CALL.id, content: 'sunny' }],
  }),
  responses: ({ output }) => ({
    ...FIRST.responses,
    input: [HELLO, ...output, { type: 'function_call_output', call_id: CALL.id, output: 'sunny' }],
  }),
  messages: ({ content }) => ({
    ...FIRST.messages,
    messages: [
      HELLO,
      { role: 'assistant', content },
      user({ type: 'tool_result', tool_use_id: CALL.id, content: 'sunny' }),
    ],
  }),
};

/** The members of its own response that a vendor must find in the next request. */
const OWN_WORDS: Readonly<Record<Vendor, object>> = {
  chat: {
    messages: [
      {},
      { reasoning: 'hm', content: 'Hello', tool_calls: [{ id: CALL.id, function: { name: CALL.name } }] },
      { role: 'tool', tool_call_id: CALL.id },
    ],
  },
  responses: {
    input: [
      {},
      { type: 'reasoning', id: 'rs_1', encrypted_content: 'sealed', summary: [{ text: 'hm' }] },
      { type: 'message', content: [{ text: 'Hello' }] },
      { type: 'function_call', call_id: CALL.id, arguments: JSON.stringify(CALL.input) },
      { type: 'function_call_output', call_id: CALL.id, output: 'sunny' },
    ],
  },
  messages: {
    messages: [
      {},
      {
        content: [
          { type: 'thinking', thinking: 'hm', signature: 'sealed' },
          { type: 'text', text: 'Hello' },
          { type: 'tool_use', ...CALL },
        ],
      },
      { content: [{ type: 'tool_result', tool_use_id: CALL.id }] },
    ],
  },
};

describe.each(CLIENT_FORMATS)('a client of %s', (client) => {
  it.each(VENDOR_FORMATS)(
    'returns the reasoning, the text and the call of a vendor of %s to that vendor',
    async (vendor) => {
      const { json, usage } = WIRE_FORMATS[vendor];
      stage.vendor.script({ body: json({ ...TURN, finish: FINISH[vendor], usage }) });
      const sent = await stage.send(client, vendor, { model: 'a/b', ...FIRST[client] });
      const context = {
        format: CLIENTS[client],
        head: { id: 'gen-1', model: 'a/b', provider: 'Vendor', created: 1 },
        options: { excludesReasoning: false, choices: 1, request: FIRST[client] },
      };
      const { body } = await ('wire' in sent ? relayBody(sent.wire, context) : writtenBody(sent.conversation, context));
      await stage.send(client, vendor, { model: 'a/b', ...NEXT[client](JSON.parse(body({}))) });
      expect(stage.vendor.seen.at(-1)!.json).toMatchObject(OWN_WORDS[vendor]);
    },
  );
});
