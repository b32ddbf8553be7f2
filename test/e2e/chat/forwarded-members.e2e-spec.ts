import { aTextEndpoint, startTextStage, type TextStage } from '../../support/calls/text-stage.js';

let stage: TextStage;
beforeAll(async () => (stage = await startTextStage()));
afterAll(() => stage.stop());

const MESSAGES = '"messages":[{"role":"user","content":"Hello"}]';
const bodyOf = (members: string, vendor = 'openai'): string => `{"model":"rules/${vendor}",${MESSAGES}${members}}`;
/** The members that the vendor received after the model and the messages. */
async function receivedFor(members: string, vendor: keyof TextStage['vendors'] = 'openai'): Promise<string> {
  const { status, text } = await stage.chat(bodyOf(members, vendor));
  if (status !== 200) throw new Error(text);
  const raw = stage.vendors[vendor].seen.at(-1)!.raw.toString();
  const head = `{"model":"vendor-model",${MESSAGES}`;
  expect(raw.startsWith(head)).toBe(true);
  return raw.slice(head.length, -1);
}

/** Members that the vendor receives unchanged. */
const FORWARDED: readonly string[] = [
  '"temperature":0.70',
  '"temperature":1e0',
  '"top_p":0.950',
  '"top_k":40',
  '"min_p":0.05',
  '"top_a":0.1',
  '"frequency_penalty":-2.0',
  '"presence_penalty":2',
  '"repetition_penalty":1.1',
  '"seed":42',
  '"stop":"\\u0045ND"',
  '"stop":["a","b","c","d"]',
  '"logit_bias":{"50256":-100}',
  '"logprobs":true',
  '"top_logprobs":20',
  '"n":1',
  '"parallel_tool_calls":false',
  '"prediction":{"type":"content","content":"x"}',
  '"prompt_cache_key":"k"',
  '"prompt_cache_options":{"ttl":"30m"}',
  '"verbosity":"low"',
  '"metadata":{"a":"b"}',
  '"response_format":{"type":"text"}',
  '"response_format":{"type":"json_object"}',
  '"response_format":{"type":"json_schema","json_schema":{"name":"x","strict":true,"schema":{"b":1,"a":2}}}',
  '"response_format":{"type":"grammar","grammar":"root ::= x"}',
  '"response_format":{"type":"python"}',
  '"tools":[{"type":"function","function":{"name":"f","parameters":{"z":1.0,"a":"\\u00e9"},"strict":true}}]',
  '"tools":[{"type":"custom","custom":{"name":"c"}}]',
  '"tool_choice":"none"',
  '"tool_choice":"auto"',
  '"tool_choice":"required"',
  '"tool_choice":{"type":"function","function":{"name":"f"}}',
  '"modalities":["text"]',
  '"service_tier":"auto"',
  '"service_tier":"default"',
  '"x_unknown":1.000000000000000000001',
  '"x_unknown":{"b":[1E5,-0.0],"a":"\\ud83d\\ude00"}',
  '"thinking":{"type":"enabled"}',
];

/** Members of the gateway, and their replacement for this vendor. */
const TAKEN: readonly (readonly [sent: string, received: string])[] = [
  ['"models":["rules/deepinfra"]', ''],
  ['"route":"fallback"', ''],
  ['"provider":{"sort":"price"}', ''],
  ['"plugins":[{"id":"web","enabled":false}]', ''],
  ['"transforms":[]', ''],
  ['"session_id":"s"', ''],
  ['"trace":{"trace_id":"t","trace_name":"n"}', ''],
  ['"debug":{"echo_upstream_body":true}', ''],
  ['"usage":{"include":true}', ''],
  ['"preset":null', ''],
  ['"include_reasoning":true', ''],
  ['"reasoning":{"effort":"high"}', '"reasoning_effort":"high"'],
  ['"reasoning":{"exclude":true}', ''],
  ['"cache_control":{"type":"ephemeral"}', ''],
  ['"stop_server_tools_when":[]', ''],
  ['"image_config":{"aspect_ratio":"1:1"}', ''],
  ['"stream":false', ''],
  ['"stream_options":{"include_usage":false}', ''],
  ['"max_tokens":5', '"max_completion_tokens":5'],
  ['"max_completion_tokens":6', '"max_completion_tokens":6'],
  ['"max_tokens":5,"max_completion_tokens":6', '"max_completion_tokens":6'],
  ['"service_tier":"priority"', ''],
  ['"service_tier":"fast"', ''],
  ['"reasoning_effort":"max"', '"reasoning_effort":"xhigh"'],
  ['"reasoning_effort":"low","reasoning":{"effort":"low"}', '"reasoning_effort":"low"'],
];

describe('a chat for a vendor of the same format', () => {
  it.each(FORWARDED)('forwards %s unchanged', async (member) => {
    expect(await receivedFor(`,${member}`)).toBe(`,${member}`);
  });

  it.each(TAKEN)('converts or removes %s, and sends instead: %s', async (sent, received) => {
    expect(await receivedFor(`,${sent}`)).toBe(received === '' ? '' : `,${received}`);
  });

  it('keeps the order of members, blanks, number spelling and escapes of the whole body', async () => {
    const body =
      '{ "z" : 1.50, "messages" : [ {"content":"\\u00e9\\/\\u2028", "role":"user", "name":"N"} ],\n' +
      '\t"seed": 7, "model": "rules/openai" , "a": [ ]}';
    expect((await stage.chat(body)).status).toBe(200);
    expect(stage.vendors.openai.seen.at(-1)!.raw.toString()).toBe(body.replace('rules/openai', 'vendor-model'));
  });

  it('forwards messages of every role, and parts of every kind, unchanged', async () => {
    const messages =
      '[{"role":"system","content":"S"},{"role":"developer","content":[{"type":"text","text":"D"}]},' +
      '{"role":"user","content":[{"type":"text","text":"\\u0041"},{"type":"image_url","image_url":{"url":' +
      '"data:image/png;base64,AA==","detail":"low"}},{"type":"input_audio","input_audio":{"data":"AAAA","format":' +
      '"wav"}},{"type":"new_part","new":1.0}],"name":"U"},{"role":"assistant","content":null,' +
      '"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{\\"a\\": 1}"}}]},' +
      '{"role":"tool","tool_call_id":"c1","content":[{"type":"text","text":"R"}]},' +
      '{"role":"assistant","content":"Sure","refusal":null}]';
    expect((await stage.chat(`{"messages":${messages},"model":"rules/openai"}`)).status).toBe(200);
    expect(stage.vendors.openai.seen.at(-1)!.raw.toString()).toBe(`{"messages":${messages},"model":"vendor-model"}`);
  });

  it('requests a stream with its usage, for any setting of the caller', async () => {
    const stream = '"stream":true';
    expect(await receivedFor(`,${stream}`)).toBe(`,${stream},"stream_options":{"include_usage":true}`);
    const options = (include: boolean): string => `"stream_options":{"include_usage":${include},"x":1}`;
    expect(await receivedFor(`,${options(false)},${stream}`)).toBe(`,${options(true)},${stream}`);
    expect(await receivedFor(`,"usage":{"include":false},${stream}`)).toBe(
      `,${stream},"stream_options":{"include_usage":true}`,
    );
    expect(await receivedFor(`,${stream}`, 'mistral')).toBe(`,${stream}`);
  });

  it("uses the vendor's own names for the bound and the seed, and omits members that it lacks", async () => {
    expect(await receivedFor(',"max_completion_tokens":9', 'deepinfra')).toBe(',"max_tokens":9');
    expect(await receivedFor(',"seed":3,"top_k":1,"logprobs":true', 'mistral')).toBe(',"random_seed":3');
  });

  it("sends a hash in place of the end user's id, the same for the same user", async () => {
    const first = await receivedFor(',"user":"somebody"');
    expect(first).toMatch(/^,"user":"[0-9a-f]{32}"$/);
    expect(await receivedFor(',"user":"somebody"')).toBe(first);
    expect(await receivedFor(',"user":"somebody else"')).not.toBe(first);
    expect(await receivedFor(',"user":"somebody"', 'mistral')).toBe('');
  });

  it('sends no header of the caller', async () => {
    const headers = { 'x-session-id': 's', 'http-referer': 'https://a.example', 'x-title': 'T', 'x-own': '1' };
    await stage.chat(bodyOf(''), { headers });
    const { headers: received } = stage.vendors.openai.seen.at(-1)!;
    expect(Object.keys(headers).filter((name) => name in received)).toEqual([]);
    expect(received.authorization).toBe('Bearer credential-of-openai');
  });

  it('forwards the default bound only if the caller sets no bound', async () => {
    const bounded = await startTextStage({ env: { DEFAULT_MAX_OUTPUT_TOKENS: '77' } });
    try {
      for (const more of [{}, { max_tokens: 5 }]) await bounded.chat(more);
      const bounds = bounded.vendors.openai.seen.map(({ json }) => json.max_completion_tokens);
      expect(bounds).toEqual([77, 5]);
    } finally {
      await bounded.stop();
    }
  });

  it('forwards options for the provider that the endpoint allows, and no options that affect the price', async () => {
    stage.teach('rules/options', [aTextEndpoint('openai', { allowedPassthroughParameters: ['knob', 'n', 'model'] })]);
    const options = { openai: { knob: 1, n: 9, model: 'x', other: 2 }, mistral: { knob: 3 } };
    expect((await stage.chat({ model: 'rules/options', provider: { options } })).status).toBe(200);
    const { knob, n, model, other } = stage.vendors.openai.seen.at(-1)!.json;
    expect([knob, n, model, other]).toEqual([1, undefined, 'vendor-model', undefined]);
  });
});
