import {
  chatChunk,
  eventBytes,
  finishChunk,
  goodCompletion,
  usageChunk,
} from '../../support/vendors/scripted-chat-vendor.js';
import { startTextStage, type TextStage } from '../../support/calls/text-stage.js';

/** As text, because a literal `__proto__` in an object would set its prototype. */
const POLLUTED =
  '"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"\\u005f_proto__":{"polluted":2}';
const MESSAGES = '"messages":[{"role":"user","content":"Say __proto__"}]';
/** The JSON of an object with these members at its root and at a deeper level. */
const polluted = (value: unknown): string =>
  JSON.stringify(value).replace(/^\{/, `{${POLLUTED},`).replaceAll('"logprobs":null', `"logprobs":{${POLLUTED}}`);

let stage: TextStage;
beforeAll(async () => (stage = await startTextStage()));
afterAll(() => stage.stop());

describe('members that change prototypes', () => {
  it('are dropped from a request before it is sent to a vendor, and no other byte is changed', async () => {
    const tools = (members: string): string =>
      `"tools":[{"type":"function","function":{"name":"f","parameters":{${members}"type":"object","n":1.50}}}]`;
    const { status } = await stage.chat(
      `{"model":"rules/openai",${POLLUTED},${MESSAGES},${tools(`${POLLUTED},`)},"x":{${POLLUTED}}}`,
    );
    const raw = stage.vendors.openai.seen.at(-1)!.raw.toString();
    expect([status, raw]).toEqual([200, `{"model":"vendor-model",${MESSAGES},${tools('')},"x":{}}`]);
  });

  it('are dropped from a large request too', async () => {
    const padding = 'x'.repeat(100_000);
    await stage.chat(`{"model":"rules/openai",${MESSAGES},"x":{${POLLUTED},"y":"${padding}"}}`);
    const raw = stage.vendors.openai.seen.at(-1)!.raw.toString();
    expect(raw).toBe(`{"model":"vendor-model",${MESSAGES},"x":{"y":"${padding}"}}`);
  });

  it("are dropped from a vendor's complete response, and names of members in texts are not", async () => {
    const sent = goodCompletion({ role: 'assistant', content: 'Use "__proto__": no', extra: { logprobs: null } });
    const body = polluted(sent);
    stage.vendors.openai.script({ bytes: Buffer.from(body), headers: { 'content-type': 'application/json' } });
    const { status, text, json } = await stage.chat(`{"model":"rules/openai",${MESSAGES}}`);
    expect([status, text.includes('polluted')]).toEqual([200, false]);
    expect(json.choices[0].message.content).toBe('Use "__proto__": no');
  });

  it("are dropped from every event of a vendor's stream, including events that are copied", async () => {
    const texts = ['a', 'b', 'c', '"__proto__"', 'd', 'e'];
    const events = [...texts.map((content) => chatChunk({ content })), finishChunk('stop'), usageChunk()];
    stage.vendors.openai.script({ bytes: eventBytes([...events.map(polluted), '[DONE]']) });
    const { status, text } = await stage.chat(`{"model":"rules/openai","stream":true,${MESSAGES}}`);
    expect([status, text.includes('polluted')]).toEqual([200, false]);
    const chunks = text.split('\n\n').filter((event) => event.startsWith('data: {'));
    const contents = chunks.map((event) => JSON.parse(event.slice(6)).choices[0]?.delta.content ?? '');
    expect(contents.join('')).toBe(texts.join(''));
  });

  it("are dropped from a vendor's response that is converted to another format", async () => {
    const calls = [{ id: 'c', type: 'function', function: { name: 'f', arguments: `{${POLLUTED},"a":1}` } }];
    stage.vendors.openai.script({ body: goodCompletion({ role: 'assistant', content: null, tool_calls: calls }) });
    const { status, json } = await stage.messages({
      model: 'rules/openai',
      max_tokens: 50,
      messages: [{ role: 'user', content: 'Hello' }],
    });
    const { input } = json.content.find(({ type }: { type: string }) => type === 'tool_use');
    expect([status, input, JSON.stringify(json).includes('polluted')]).toEqual([200, { a: 1 }, false]);
  });
});
