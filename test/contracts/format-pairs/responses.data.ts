import type { VendorTurn } from '../../support/vendors/text-vendor-formats.js';
import type { Client, Vendor } from './format-pair.js';

type Json = Readonly<Record<string, unknown>>;

/** The expected members of a complete response, and of a stream: each of `events` must match one of its events. */
export interface Reading {
  readonly whole: Json;
  readonly events: readonly Json[];
}

/** Something that a response can express. */
export interface ResponseMember {
  readonly name: string;
  readonly turn: Partial<VendorTurn>;
  /** The vendor's finish reason. Default: the reason of a complete response. */
  readonly finish?: Record<Vendor, string>;
  /** The vendors whose format can express it. */
  readonly vendors: readonly Vendor[];
  readonly reads: Record<Client, Reading>;
}

const EVERY: readonly Vendor[] = ['chat', 'responses', 'messages'];

const message = (members: Json): Json => ({ choices: [{ index: 0, message: members }] });
const delta = (members: Json): Json => ({ choices: [{ index: 0, delta: members }] });
const item = (...members: readonly Json[]): Json => ({ output: members });
const event = (type: string, members: Json): Json => ({ type: `response.${type}`, ...members });
const blocks = (...members: readonly Json[]): Json => ({ content: members });
const block = (members: Json): Json => ({ type: 'content_block_delta', delta: members });

const CALL = { id: 'call_1', name: 'weather', input: { city: 'Rome' } };
const JSON_ARGUMENTS = JSON.stringify(CALL.input);

const finished = (
  name: string,
  finish: Record<Vendor, string>,
  words: { readonly chat: string; readonly responses: Json; readonly messages: string },
): ResponseMember => ({
  name,
  turn: { text: ['Hello'] },
  finish,
  vendors: EVERY,
  reads: {
    chat: {
      whole: { choices: [{ finish_reason: words.chat }] },
      events: [{ choices: [{ finish_reason: words.chat }] }],
    },
    responses: { whole: words.responses, events: [{ response: words.responses }] },
    messages: {
      whole: { stop_reason: words.messages },
      events: [{ type: 'message_delta', delta: { stop_reason: words.messages } }, { type: 'message_stop' }],
    },
  },
});

export const RESPONSES: readonly ResponseMember[] = [
  {
    name: 'text',
    turn: { text: ['Hel', 'lo'] },
    vendors: EVERY,
    reads: {
      chat: {
        whole: message({ role: 'assistant', content: 'Hello' }),
        events: [delta({ content: 'Hel' }), delta({ content: 'lo' })],
      },
      responses: {
        whole: item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello' }] }),
        events: [
          event('output_text.delta', { delta: 'Hel' }),
          event('output_text.delta', { delta: 'lo' }),
          event('output_text.done', { text: 'Hello' }),
        ],
      },
      messages: {
        whole: blocks({ type: 'text', text: 'Hello' }),
        events: [block({ type: 'text_delta', text: 'Hel' }), block({ type: 'text_delta', text: 'lo' })],
      },
    },
  },
  {
    name: 'readable reasoning',
    turn: { reasoning: { text: 'hm', signature: 'sealed' }, text: ['Hello'] },
    vendors: EVERY,
    reads: {
      chat: { whole: message({ reasoning: 'hm', content: 'Hello' }), events: [delta({ reasoning: 'hm' })] },
      responses: {
        whole: item({ type: 'reasoning' }, { type: 'message' }),
        events: [{ delta: 'hm' }, event('output_text.delta', { delta: 'Hello' })],
      },
      messages: {
        whole: { content: expect.arrayContaining([expect.objectContaining({ type: 'thinking', thinking: 'hm' })]) },
        events: [block({ type: 'thinking_delta', thinking: 'hm' })],
      },
    },
  },
  {
    name: 'a tool call',
    turn: { call: CALL },
    finish: { chat: 'tool_calls', responses: 'completed', messages: 'tool_use' },
    vendors: EVERY,
    reads: {
      chat: {
        whole: {
          choices: [
            {
              finish_reason: 'tool_calls',
              message: {
                tool_calls: [
                  { id: CALL.id, type: 'function', function: { name: CALL.name, arguments: JSON_ARGUMENTS } },
                ],
              },
            },
          ],
        },
        events: [
          delta({ tool_calls: [{ index: 0, id: CALL.id, type: 'function', function: { name: CALL.name } }] }),
          { choices: [{ finish_reason: 'tool_calls' }] },
        ],
      },
      responses: {
        whole: {
          status: 'completed',
          ...item({ type: 'function_call', call_id: CALL.id, name: CALL.name, arguments: JSON_ARGUMENTS }),
        },
        events: [
          event('output_item.added', { item: { type: 'function_call', call_id: CALL.id, name: CALL.name } }),
          event('function_call_arguments.done', { arguments: JSON_ARGUMENTS }),
        ],
      },
      messages: {
        whole: { stop_reason: 'tool_use', ...blocks({ type: 'tool_use', ...CALL }) },
        events: [
          { type: 'content_block_start', content_block: { type: 'tool_use', id: CALL.id, name: CALL.name } },
          block({ type: 'input_json_delta' }),
          { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
        ],
      },
    },
  },
  {
    name: 'a refusal with a text',
    turn: { refusal: 'No' },
    vendors: ['chat', 'responses'],
    reads: {
      chat: { whole: message({ refusal: 'No' }), events: [delta({ refusal: 'No' })] },
      responses: {
        whole: item({ type: 'message', content: [{ type: 'refusal', refusal: 'No' }] }),
        events: [event('refusal.delta', { delta: 'No' })],
      },
      // The format has no other member for the text of a refusal.
      messages: { whole: blocks({ type: 'text', text: 'No' }), events: [block({ type: 'text_delta', text: 'No' })] },
    },
  },
  {
    name: 'a citation',
    turn: { text: ['Hello'], citation: { url: 'https://e.com', title: 'E' } },
    vendors: ['chat', 'responses'],
    reads: {
      chat: {
        whole: message({ annotations: [{ type: 'url_citation', url_citation: { url: 'https://e.com', title: 'E' } }] }),
        events: [delta({ annotations: [{ type: 'url_citation', url_citation: { url: 'https://e.com' } }] })],
      },
      responses: {
        whole: item({ content: [{ annotations: [{ type: 'url_citation', url: 'https://e.com', title: 'E' }] }] }),
        events: [event('output_text.annotation.added', { annotation: { url: 'https://e.com' } })],
      },
      messages: { whole: blocks({ type: 'text', text: 'Hello' }), events: [] },
    },
  },
  finished(
    'the end of a complete response',
    { chat: 'stop', responses: 'completed', messages: 'end_turn' },
    { chat: 'stop', responses: { status: 'completed', incomplete_details: null }, messages: 'end_turn' },
  ),
  finished(
    'the end at the maximum number of output tokens',
    { chat: 'length', responses: 'max_output_tokens', messages: 'max_tokens' },
    {
      chat: 'length',
      responses: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
      messages: 'max_tokens',
    },
  ),
  finished(
    'the end by a content filter',
    { chat: 'content_filter', responses: 'content_filter', messages: 'refusal' },
    {
      chat: 'content_filter',
      responses: { status: 'incomplete', incomplete_details: { reason: 'content_filter' } },
      messages: 'refusal',
    },
  ),
];
