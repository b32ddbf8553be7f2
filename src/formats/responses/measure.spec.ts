import { measureResponses, textsOfResponses } from './measure.js';

const LONG = 'é'.repeat(500);
const BYTES = 1_000;

describe('the measure of a request of /responses', () => {
  it.each([
    ['input', { input: LONG }],
    ['instructions', { input: '', instructions: LONG }],
    ['a message', { input: [{ role: 'user', content: LONG }] }],
    ['a part', { input: [{ role: 'user', content: [{ type: 'input_text', text: LONG }] }] }],
    ['an assistant message', { input: [{ role: 'assistant', content: [{ type: 'output_text', text: LONG }] }] }],
    ['a call', { input: [{ type: 'function_call', call_id: 'a', name: 'f', arguments: LONG }] }],
    ['a result', { input: [{ type: 'function_call_output', call_id: 'a', output: LONG }] }],
    ['a result in parts', { input: [{ type: 'function_call_output', output: [{ type: 'input_text', text: LONG }] }] }],
    ['reasoning', { input: [{ type: 'reasoning', summary: [{ type: 'summary_text', text: LONG }] }] }],
    ['encrypted reasoning', { input: [{ type: 'reasoning', summary: [], encrypted_content: LONG }] }],
    ['an item of a type that is not known', { input: [{ type: 'custom_tool_call', input: LONG }] }],
    ['a tool', { input: '', tools: [{ type: 'function', name: 'f', description: LONG, parameters: {} }] }],
    ['a tool in a namespace', { input: '', tools: [{ type: 'namespace', tools: [{ type: 'function', name: LONG }] }] }],
    ['a schema', { input: '', text: { format: { type: 'json_schema', schema: { description: LONG } } } }],
    ['a member that is not known', { input: '', anything: { deep: [LONG] } }],
  ])('counts the bytes of %s', (_, body) => {
    const { textBytes, readsUnmeasured } = measureResponses(body);
    expect(textBytes).toBeGreaterThanOrEqual(BYTES);
    expect(textBytes).toBeLessThan(BYTES + 300);
    expect(readsUnmeasured).toBe(false);
    expect(textsOfResponses(body).join('')).toContain(LONG);
  });

  it('does not count members that no model reads', () => {
    const body = {
      input: 'x',
      metadata: { a: LONG },
      user: LONG,
      session_id: LONG,
      model: LONG,
      store: false,
      top_p: 1,
    };
    expect(measureResponses(body).textBytes).toBe(1);
  });

  it('counts pictures, sounds, items and tools', () => {
    const content = [
      { type: 'input_image', image_url: LONG },
      { type: 'input_audio', input_audio: { data: 'x'.repeat(4_000), format: 'wav' } },
    ];
    const input = [
      { role: 'user', content },
      { type: 'image_generation_call', result: LONG },
      { type: 'function_call_output', output: [{ type: 'input_image', image_url: LONG }] },
    ];
    const measured = measureResponses({
      input,
      instructions: 'x',
      tools: [{ type: 'function' }],
      max_output_tokens: 9,
    });
    expect(measured).toMatchObject({ images: 3, media: 3, sounds: 1, audioSeconds: 3, messages: 4, tools: 1 });
    expect(measured).toMatchObject({ choices: 1, maxOutputTokens: 9, readsUnmeasured: false });
    expect(measured.textBytes).toBeLessThan(BYTES);
  });

  it.each([
    { input: [{ role: 'user', content: [{ type: 'input_file', file_url: 'https://a.test/b.pdf' }] }] },
    { input: 'x', tools: [{ type: 'web_search' }] },
    { input: 'x', tools: [{ type: 'local_shell' }] },
    { input: 'x', tools: [{ type: 'namespace', tools: [{ type: 'web_search' }] }] },
  ])('reports that the input of %j cannot be measured', (body) => {
    expect(measureResponses(body).readsUnmeasured).toBe(true);
  });

  it.each([
    [
      { input: [{ role: 'user', content: [{ type: 'input_text', text: 'x', cache_control: { type: 'ephemeral' } }] }] },
      true,
    ],
    [{ input: 'x' }, false],
  ])('reports whether %j contains a cache breakpoint: %s', (body, writesCache) => {
    expect(measureResponses(body)).toMatchObject({ writesCache });
  });
});
