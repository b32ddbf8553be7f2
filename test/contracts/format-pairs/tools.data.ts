import { carried, HELLO, refused, user, type RequestMember } from './format-pair.js';

const PARAMETERS = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const TOOL = { name: 'weather', description: 'The weather of a city' };
const chatTool = { type: 'function', function: { ...TOOL, parameters: PARAMETERS } };
const responsesTool = { type: 'function', ...TOOL, parameters: PARAMETERS };
const messagesTool = { ...TOOL, input_schema: PARAMETERS };
const chatTools = { tools: [chatTool] };
const responsesTools = { tools: [responsesTool] };
const messagesTools = { tools: [messagesTool] };

const JSON_ARGUMENTS = '{"city":"Rome"}';
const ARGUMENTS = { city: 'Rome' };

const calls = {
  chat: {
    role: 'assistant',
    tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: JSON_ARGUMENTS } }],
  },
  responses: { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: JSON_ARGUMENTS },
  messages: { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'weather', input: ARGUMENTS }] },
};
const results = {
  chat: { role: 'tool', tool_call_id: 'call_1', content: 'sunny' },
  responses: { type: 'function_call_output', call_id: 'call_1', output: 'sunny' },
  messages: user({ type: 'tool_result', tool_use_id: 'call_1', content: 'sunny' }),
};
const history = {
  chat: { messages: [HELLO, { content: null, ...calls.chat }, results.chat] },
  responses: { input: [HELLO, calls.responses, results.responses] },
  messages: { messages: [HELLO, calls.messages, results.messages] },
};
const converted = {
  chat: carried({ messages: [{ role: 'user' }, calls.chat, results.chat] }),
  responses: carried({ input: [{ role: 'user' }, calls.responses, results.responses] }),
  messages: carried({ messages: [{ role: 'user' }, calls.messages, results.messages] }),
};

const PICTURE = 'iVBORw0KGgo=';
const PICTURE_URL = `data:image/png;base64,${PICTURE}`;
const PICTURE_RESULT = {
  responses: [
    { type: 'input_text', text: 'sunny' },
    { type: 'input_image', image_url: PICTURE_URL },
  ],
  messages: [
    { type: 'text', text: 'sunny' },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PICTURE } },
  ],
};

const choice = (chat: unknown, responses: unknown, messages: unknown): Pick<RequestMember, 'says' | 'becomes'> => ({
  says: {
    chat: { ...chatTools, tool_choice: chat },
    responses: { ...responsesTools, tool_choice: responses },
    messages: { ...messagesTools, tool_choice: messages },
  },
  becomes: {
    chat: carried({ tool_choice: chat }),
    responses: carried({ tool_choice: responses }),
    messages: carried({ tool_choice: messages }),
  },
});

/** Tools, their calls and their results. */
export const TOOLS: readonly RequestMember[] = [
  {
    name: 'a tool',
    says: { chat: chatTools, responses: responsesTools, messages: messagesTools },
    becomes: { chat: carried(chatTools), responses: carried(responsesTools), messages: carried(messagesTools) },
  },
  {
    name: 'a strict tool',
    says: {
      chat: { tools: [{ type: 'function', function: { ...chatTool.function, strict: true } }] },
      responses: { tools: [{ ...responsesTool, strict: true }] },
      messages: { tools: [{ ...messagesTool, strict: true }] },
    },
    becomes: {
      chat: carried({ tools: [{ function: { strict: true } }] }),
      responses: carried({ tools: [{ strict: true }] }),
      messages: carried({ tools: [{ strict: true }] }),
    },
  },
  {
    name: 'the choice of one tool',
    ...choice(
      { type: 'function', function: { name: 'weather' } },
      { type: 'function', name: 'weather' },
      { type: 'tool', name: 'weather' },
    ),
  },
  { name: 'the choice of any tool', ...choice('required', 'required', { type: 'any' }) },
  {
    name: 'the choice of no tool',
    ...choice('none', 'none', { type: 'none' }),
  },
  {
    name: 'the exclusion of parallel tool calls',
    says: {
      chat: { ...chatTools, tool_choice: 'auto', parallel_tool_calls: false },
      responses: { ...responsesTools, tool_choice: 'auto', parallel_tool_calls: false },
      messages: { ...messagesTools, tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
    },
    becomes: {
      chat: carried({ parallel_tool_calls: false }),
      responses: carried({ parallel_tool_calls: false }),
      messages: carried({ tool_choice: { type: 'auto', disable_parallel_tool_use: true } }),
    },
  },
  {
    name: 'a tool call and its result',
    says: {
      chat: { ...chatTools, ...history.chat },
      responses: { ...responsesTools, ...history.responses },
      messages: { ...messagesTools, ...history.messages },
    },
    becomes: converted,
    but: { 'chat>messages': resultBlock('sunny'), 'responses>messages': resultBlock('sunny') },
  },
  {
    name: 'the error flag of a tool result',
    says: {
      messages: {
        ...messagesTools,
        messages: [
          HELLO,
          calls.messages,
          user({ type: 'tool_result', tool_use_id: 'call_1', content: 'no such city', is_error: true }),
        ],
      },
    },
    becomes: {
      // The formats have no member for a failed result. Only its text says that the tool failed.
      chat: carried({ messages: [{}, {}, { role: 'tool', tool_call_id: 'call_1', content: 'no such city' }] }),
      responses: carried({ input: [{}, {}, { type: 'function_call_output', output: 'no such city' }] }),
      messages: carried({}),
    },
  },
  {
    name: 'the results of two tool calls',
    says: {
      messages: {
        ...messagesTools,
        messages: [
          HELLO,
          {
            role: 'assistant',
            content: ['a', 'b'].map((id) => ({ type: 'tool_use', id, name: 'weather', input: {} })),
          },
          user(...['a', 'b'].map((id) => ({ type: 'tool_result', tool_use_id: id, content: id }))),
        ],
      },
    },
    becomes: {
      chat: carried({
        messages: [{}, { tool_calls: [{ id: 'a' }, { id: 'b' }] }, { tool_call_id: 'a' }, { tool_call_id: 'b' }],
      }),
      responses: carried({
        input: [{}, { call_id: 'a' }, { call_id: 'b' }, { call_id: 'a', output: 'a' }, { call_id: 'b', output: 'b' }],
      }),
      messages: carried({}),
    },
  },
  {
    name: 'a picture in a tool result',
    says: {
      responses: { input: [HELLO, calls.responses, { ...results.responses, output: PICTURE_RESULT.responses }] },
      messages: {
        messages: [
          HELLO,
          calls.messages,
          user({ type: 'tool_result', tool_use_id: 'call_1', content: PICTURE_RESULT.messages }),
        ],
      },
    },
    becomes: {
      chat: carried({
        messages: [{}, {}, results.chat, user({ type: 'image_url', image_url: { url: PICTURE_URL } })],
      }),
      responses: carried({ input: [{}, {}, { output: PICTURE_RESULT.responses }] }),
      messages: carried({ messages: [{}, {}, { content: [{ content: PICTURE_RESULT.messages }] }] }),
    },
  },
  {
    name: 'a tool that the vendor runs',
    says: {
      chat: { tools: [{ type: 'code_interpreter' }] },
      responses: { tools: [{ type: 'local_shell' }] },
      messages: { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
    },
    becomes: {
      chat: refused(/local_shell|web_search_20250305/),
      responses: refused(/tools\[0\]\.type|web_search_20250305/),
      messages: refused(/tools\[0\]\.type|local_shell/),
    },
  },
];

function resultBlock(text: string): ReturnType<typeof carried> {
  const result = { type: 'tool_result', tool_use_id: 'call_1', content: text };
  return carried({ messages: [{ role: 'user' }, calls.messages, { role: 'user', content: [result] }] });
}
