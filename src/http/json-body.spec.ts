import { hadProto, parseJsonBody } from './json-body.js';

const parsed = (text: string): object => parseJsonBody(Buffer.from(text));

describe('a JSON body', () => {
  it.each([
    '{"a":{"__proto__":{"b":1}}}',
    '{"a":{"\\u005f_proto__":{"b":1}}}',
    '{"a":{"\\u005F\\u005f\\u0070\\u0072\\u006f\\u0074\\u006F\\u005f\\u005f":1}}',
  ])('loses a member __proto__, however it is written, and is remembered for it: %s', (text) => {
    const body = parsed(text) as { a: object };
    expect(Object.keys(body.a)).toEqual([]);
    expect(hadProto(body)).toBe(true);
  });

  it.each(['{"a":"__proto__"}', '{"a":"\\u005f_proto__"}', '{"proto":1}', '{}'])(
    'keeps everything else: %s',
    (text) => {
      expect(parsed(text)).toEqual(JSON.parse(text));
      expect(hadProto(parsed(text))).toBe(false);
    },
  );
});
