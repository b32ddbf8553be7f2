import { having, inMessages, oddMessages, oddTools, WRONG, type HostileChat } from './odd-conversations.js';
import { HOSTILE_BODIES, HOSTILE_VALUES } from './hostile-json.js';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const EDGES = ['0', '-0', '1e-400', '2', '20', '21', '128', '129', `1${'0'.repeat(10_000)}`, `0.${'3'.repeat(10_000)}`];

const MEMBERS = [
  'messages model models provider stream max_completion_tokens max_tokens temperature top_p top_k min_p top_a',
  'frequency_penalty presence_penalty repetition_penalty seed stop logit_bias logprobs top_logprobs n tools',
  'tool_choice parallel_tool_calls response_format reasoning reasoning_effort include_reasoning modalities audio',
  'plugins metadata service_tier session_id prompt_cache_key stream_options trace cache_control user route',
  'transforms usage verbosity prediction prompt_cache_options debug preset image_config web_search_options store',
  'safety_identifier unknown constructor __proto__',
].flatMap((names) => names.split(' '));
const NUMBERS = MEMBERS.filter((name) => /max_|temperature|top_|min_p|penalty|seed|^n$/.test(name));

function* wrongMembers(): Generator<HostileChat> {
  for (const member of MEMBERS)
    for (const json of NUMBERS.includes(member) ? [...WRONG, ...EDGES] : WRONG)
      yield { name: `${member}: ${json.slice(0, 20)}`, body: having(member, json) };
}

const MEMBERS_TEXT = (model: string): string => `"model":"${model}","messages":[{"role":"user","content":"Hello"}]`;

/** Bodies that are not JSON, or JSON with unusual syntax. */
function* oddTexts(): Generator<HostileChat> {
  const texts = [
    '',
    ' ',
    'null',
    '[]',
    '"x"',
    '7',
    '{',
    '{}',
    '{M',
    '{M}}',
    '{M},',
    '[{M}]',
    '\ufeff{M}',
    '{M,}',
    '{M,"stream":01}',
    '{M,"stream":\ttrue}',
  ];
  const twice = [
    '{M,"model":"other/model"}',
    '{"model":"other/model",M}',
    '{M,"messages":[]}',
    '{M,"max_tokens":1,"max_tokens":2}',
    '{M,"stream":true,"stream":false}',
    '{M,"stream":false,"stream":true}',
    '{M,"provider":{"only":["x"],"only":["y"]}}',
    '{M,"\\u006dodel":"x"}',
    '{M,"Model":"x"}',
    '{M,"__proto__":{"model":"x","stream":true}}',
    '{M,"messages":{"__proto__":[]}}',
    '{M,"toString":1,"valueOf":{}}',
  ];
  for (const text of [...texts, ...twice])
    yield { name: `the body ${text}`, body: (model) => text.replace('M', () => MEMBERS_TEXT(model)) };
  for (const hex of ['fffe7b007d00', '7b2261223a22c328227d', '7b2261223a22eda080227d', '00', '1f8b0800'])
    yield { name: `the bytes ${hex}`, body: () => Buffer.from(hex, 'hex') };
  for (const text of [
    '\\ud800',
    'x\\udc00y',
    '\\u0000',
    '\\uffff',
    '\\u2028',
    '\\ud83d\\ude00',
    '\\u202e',
    'data: [DONE]\\n\\n',
  ])
    for (const place of ['content', 'name', 'tool_call_id'])
      yield {
        name: `${text} in ${place}`,
        body: inMessages(`{"role":"${place === 'tool_call_id' ? 'tool' : 'user'}","content":"x","${place}":"${text}"}`),
      };
  for (const [name, value] of Object.entries({
    pixel: `data:image/png;base64,${PIXEL}`,
    none: 'data:image/png;base64,',
    bad: 'data:image/png;base64,!!!!',
    type: `data:x;base64,${PIXEL}`,
    plain: 'data:image/png,x',
    http: 'http://127.0.0.1:1/x.png',
    ftp: 'ftp://x/y',
    file: 'file:///etc/passwd',
    empty: '',
    long: `https://example.com/${'x'.repeat(5_000)}`,
  }))
    for (const type of ['image_url', 'video_url', 'file'])
      yield {
        name: `a ${type} ${name}`,
        body: inMessages(
          JSON.stringify({
            role: 'user',
            content: [{ type, [type]: type === 'file' ? { filename: 'x', file_data: value } : { url: value } }],
          }),
        ),
      };
  for (const depth of [50, 60, 64, 65, 5_000])
    yield { name: `${depth} deep`, body: having('unknown', '['.repeat(depth) + ']'.repeat(depth)) };
}

/** All small bodies that are hostile or odd, by kind. */
export const HOSTILE_CHATS: Readonly<Record<string, readonly HostileChat[]>> = {
  'members of the wrong type': [...wrongMembers()],
  'odd messages': [...oddMessages()],
  'odd tools, formats and preferences': [...oddTools()],
  'odd texts': [...oddTexts()],
};

/** Inserts a JSON text of any size into a valid request, by the place of insertion. */
const LARGE_PLACES: Readonly<Record<string, (json: string) => HostileChat['body']>> = {
  content: (json) => inMessages(`{"role":"user","content":${json}}`),
  messages: (json) => having('messages', json),
  unknown: (json) => having('unknown', json),
  tools: (json) => having('tools', `[{"type":"function","function":{"name":"f","parameters":${json}}}]`),
  provider: (json) => having('provider', `{"order":${json}}`),
  picture: (json) => inMessages(`{"role":"user","content":[{"type":"image_url","image_url":{"url":${json}}}]}`),
};

/** Bodies of about `size` bytes. */
export const LARGE_CHATS: Readonly<Record<string, (model: string, size: number) => string | Buffer>> = {
  ...Object.fromEntries(
    Object.entries(HOSTILE_BODIES).map(([name, make]) => [name, (_: string, size: number) => make(size)]),
  ),
  ...Object.fromEntries(
    Object.entries(HOSTILE_VALUES).flatMap(([name, make]) =>
      Object.entries(LARGE_PLACES).map(([place, body]) => [
        `${place}: ${name}`,
        (model: string, size: number) => body(make(size))(model),
      ]),
    ),
  ),
  'very many messages': (model, size) =>
    inMessages(`${'{"role":"user","content":""},'.repeat(size / 29)}{"role":"user","content":"x"}`)(model),
};

/** The same body with `stream` set, if it is a JSON object. */
export const streamed = (body: string | Buffer): string | Buffer =>
  typeof body === 'string' ? body.replace(/^\{/, '{"stream":true,').replace(/^(\{"stream":true),\}/, '$1}') : body;
