/** One request to `/chat/completions`. */
export interface HostileChat {
  readonly name: string;
  /** JSON text, or a body that is not JSON. */
  readonly body: (model: string) => string | Buffer;
}

const USER = { role: 'user', content: 'Hello' };

/** JSON texts of every type, and extreme numbers and strings. */
export const WRONG = [
  'null',
  'true',
  '-1',
  '1e400',
  '0.5',
  '9007199254740993',
  '""',
  '"x\\u0000"',
  '[]',
  '{}',
  '[[null]]',
];
/** The JSON of a valid request with one member set to a JSON text. */
export const having =
  (member: string, json: string, more: object = {}) =>
  (model: string): string => {
    const rest = Object.entries({ model, messages: [USER], ...more }).filter(([name]) => name !== member);
    return `{${rest.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}${
      rest.length > 0 ? ',' : ''
    }${JSON.stringify(member)}:${json}}`;
  };
export const inMessages = (json: string, more: object = {}) => having('messages', `[${json}]`, more);

const PART_TYPES = ['text', 'image_url', 'input_audio', 'file', 'video_url', 'nonsense', 'refusal', 'tool_result', ''];
const PART_VALUES = [
  'null',
  '7',
  '"x"',
  '[]',
  '{}',
  '{"url":7}',
  '{"url":"x"}',
  '{"url":"data:,"}',
  '{"data":"!","format":1}',
];

/** Messages in every odd form. */
export function* oddMessages(): Generator<HostileChat> {
  const values = [...WRONG, '"user"'];
  for (const json of ['null', '7', '"x"', '[]', '{}', '{"role":"user"}', '{"content":"x"}'])
    yield { name: `a message ${json}`, body: inMessages(json) };
  for (const role of ['system', 'developer', 'user', 'assistant', 'tool', 'function', 'USER', '__proto__', '']) {
    yield { name: `the role ${role}`, body: inMessages(JSON.stringify({ role, content: 'x' })) };
    yield { name: `the role ${role} alone`, body: inMessages(JSON.stringify({ role })) };
    yield {
      name: `the role ${role} without content, last`,
      body: inMessages(JSON.stringify([USER, { role, content: null }]).slice(1, -1)),
    };
    yield { name: `the role ${role} with no parts`, body: inMessages(JSON.stringify({ role, content: [] })) };
    yield {
      name: `the role ${role} with an empty text`,
      body: inMessages(JSON.stringify({ role, content: '', tool_call_id: 'x' })),
    };
  }
  for (const json of values) {
    yield { name: `a role ${json}`, body: inMessages(`{"role":${json},"content":"x"}`) };
    yield { name: `content ${json}`, body: inMessages(`{"role":"user","content":${json}}`) };
    yield { name: `a part ${json}`, body: inMessages(`{"role":"user","content":[${json}]}`) };
    for (const member of [
      'tool_calls',
      'reasoning',
      'reasoning_details',
      'images',
      'audio',
      'refusal',
      'name',
      'annotations',
    ])
      yield {
        name: `an assistant's ${member} ${json}`,
        body: inMessages(`{"role":"user","content":"x"},{"role":"assistant","content":"y","${member}":${json}}`),
      };
    yield { name: `a tool_call_id ${json}`, body: inMessages(`{"role":"tool","content":"x","tool_call_id":${json}}`) };
    yield {
      name: `a cache_control of a part ${json}`,
      body: inMessages(`{"role":"user","content":[{"type":"text","text":"x","cache_control":${json}}]}`),
    };
  }
  for (const type of PART_TYPES)
    for (const json of PART_VALUES)
      yield {
        name: `a part of type ${type}: ${json}`,
        body: inMessages(`{"role":"user","content":[{"type":"${type}","${type || 'x'}":${json}}]}`),
      };
  const details = [
    '{"type":"reasoning.text"}',
    '{"type":"reasoning.text","text":7}',
    '{"type":"x"}',
    '{"type":"reasoning.encrypted","data":null,"format":"anthropic-claude-v1"}',
    '{"type":"reasoning.text","text":"t","signature":"bad","format":"anthropic-claude-v1","index":-1}',
  ];
  for (const json of details)
    yield {
      name: `a reasoning detail ${json}`,
      body: inMessages(
        `{"role":"user","content":"x"},{"role":"assistant","content":"y","reasoning_details":[${json}]}`,
      ),
    };
}

const tool = (name: unknown, parameters: unknown): string =>
  JSON.stringify({ type: 'function', function: { name, parameters } });
const call = (json: string): string => `{"role":"user","content":"x"},{"role":"assistant","tool_calls":[${json}]}`;

/** Tools, formats and preferences in every odd form. */
export function* oddTools(): Generator<HostileChat> {
  const schemas = [
    { type: 'nonsense' },
    { $ref: '#/nowhere' },
    { $ref: '#' },
    { type: 'object', properties: { __proto__: {}, constructor: {} } },
    { type: ['object', 7] },
    { enum: [] },
    true,
    'x',
    null,
  ];
  for (const schema of schemas) {
    const json = JSON.stringify(schema).slice(0, 30);
    yield {
      name: `a tool with the schema ${json}`,
      body: having('tools', `[${tool('f', schema)}]`, { tool_choice: 'required' }),
    };
    yield {
      name: `a format with the schema ${json}`,
      body: having('response_format', JSON.stringify({ type: 'json_schema', json_schema: { name: 'x', schema } })),
    };
  }
  for (const name of ['', 'a b', 'é', 'x'.repeat(64), 'x'.repeat(65), '\0', '__proto__', 7, null, {}])
    yield {
      name: `a tool of the name ${JSON.stringify(name).slice(0, 10)}`,
      body: having('tools', `[${tool(name, {})}]`),
    };
  yield { name: 'a tool twice', body: having('tools', `[${tool('f', {})},${tool('f', {})}]`) };
  yield {
    name: 'a choice of no tool',
    body: having('tool_choice', '{"type":"function","function":{"name":"nobody"}}'),
  };
  yield {
    name: 'a choice of an unknown tool',
    body: having('tool_choice', '{"type":"function","function":{"name":"nobody"}}', {
      tools: [JSON.parse(tool('f', {}))],
    }),
  };
  for (const type of ['custom', 'openrouter:web_search', 'web_search_preview', 'constructor', ''])
    yield { name: `a tool of type ${type}`, body: having('tools', `[{"type":"${type}","custom":{"name":"x"}}]`) };
  for (const args of ['', '{', '[]', '7', '"x"', '{"__proto__":{"a":1}}', '{}{}', '\ud800', 'x'.repeat(100_000)])
    yield {
      name: `a call with the arguments ${args.slice(0, 10)}`,
      body: inMessages(call(JSON.stringify({ id: 'c', type: 'function', function: { name: 'f', arguments: args } }))),
    };
  for (const json of [
    '{"id":"c"}',
    '{"id":"c","type":"custom"}',
    '{"id":"","type":"function","function":{"name":"","arguments":""}}',
    'null',
    '7',
  ])
    yield { name: `a call ${json}`, body: inMessages(call(json)) };
  for (const json of WRONG)
    for (const member of [
      'order',
      'only',
      'ignore',
      'allow_fallbacks',
      'sort',
      'max_price',
      'quantizations',
      'data_collection',
      'zdr',
      'preferred_min_throughput',
      'preferred_max_latency',
      'options',
      'require_parameters',
    ])
      yield { name: `provider.${member} ${json}`, body: having('provider', `{"${member}":${json}}`) };
  for (const json of ['{"prompt":"abc"}', '{"prompt":-1}', '{"prompt":"1e99"}', '{"prompt":"0.1","completion":null}'])
    yield { name: `max_price ${json}`, body: having('provider', `{"max_price":${json}}`) };
  for (const json of WRONG)
    for (const member of ['effort', 'max_tokens', 'exclude', 'enabled', 'summary'])
      yield { name: `reasoning.${member} ${json}`, body: having('reasoning', `{"${member}":${json}}`) };
  for (const type of ['text', 'json_object', 'json_schema', 'grammar', 'python', 'x', '', '__proto__'])
    yield { name: `a format of type ${type}`, body: having('response_format', JSON.stringify({ type })) };
}
