import { NO_PARAMETERS, readParameters } from './parameters';

const read = (fields: object) => readParameters({ ...NO_PARAMETERS, ...fields });

describe('the parameters of the playground', () => {
  it('are not sent if nothing was typed', () => {
    expect(read({})).toEqual({ json: {}, faults: {} });
    expect(read({ temperature: ' ', tools: '\n' })).toEqual({ json: {}, faults: {} });
  });

  it('have the names and types of the API', () => {
    const fields = { temperature: '0.5', maxTokens: '64', topP: '0', seed: '-1', effort: 'low' };
    expect(read(fields).json).toEqual({
      temperature: 0.5,
      max_tokens: 64,
      top_p: 0,
      seed: -1,
      reasoning_effort: 'low',
    });
  });

  it('include tools and a schema as JSON', () => {
    const tools = [{ type: 'function', function: { name: 'clock' } }];
    const schema = { type: 'object', properties: {} };
    expect(read({ tools: JSON.stringify(tools), schema: JSON.stringify(schema) }).json).toEqual({
      tools,
      response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } },
    });
  });

  it.each([
    ['temperature', 'warm'],
    ['seed', '1e'],
    ['maxTokens', 'Infinity'],
    ['tools', '{}'],
    ['tools', '['],
    ['schema', '[]'],
    ['schema', 'null'],
    ['schema', '{'],
  ])('omit %s from the request if its value is %s, and report the fault', (field, text) => {
    const { json, faults } = read({ [field]: text });
    expect(json).toEqual({});
    expect(Object.keys(faults)).toEqual([field]);
  });
});
