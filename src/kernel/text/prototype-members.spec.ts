import { parseWithoutPrototypeMembers, withoutPrototypeMembers } from './prototype-members.js';

const cleanedText = (text: string): string => withoutPrototypeMembers(Buffer.from(text)).toString();

describe('JSON without members that change prototypes', () => {
  it.each([
    ['{"__proto__":1}', '{}'],
    ['{"__proto__":1,"a":2}', '{"a":2}'],
    ['{"a":2,"__proto__":1}', '{"a":2}'],
    ['{"a":2,"__proto__":{"x":[1,"]"]},"b":3}', '{"a":2,"b":3}'],
    ['{ "__proto__" : {} , "__proto__" : [] , "a" : 1 }', '{   "a" : 1 }'],
    ['{"__proto__":1,"__proto__":2}', '{}'],
    ['{"a":1,"__proto__":1,"__proto__":2,"b":3,"__proto__":4}', '{"a":1,"b":3}'],
    ['{"a":[{"b":{"__proto__":{"__proto__":1}}}]}', '{"a":[{"b":{}}]}'],
    ['{"\\u005f_proto__":1,"a":2}', '{"a":2}'],
    ['{"\\u005F\\u005f\\u0070\\u0072\\u006f\\u0074\\u006F\\u005f\\u005f":1}', '{}'],
    ['{"constructor":{"prototype":{"x":1}},"a":2}', '{"a":2}'],
    ['{"a":2,"c\\u006fnstructor":{"y":1,"\\u0070rototype":2}}', '{"a":2}'],
    ['[{"__proto__":1},{"a":"__proto__"}]', '[{},{"a":"__proto__"}]'],
    ['{"n":1.50,"e":"\\u00e9 \\"","__proto__":null}', '{"n":1.50,"e":"\\u00e9 \\""}'],
  ])('%s becomes %s', (text, expected) => {
    expect(cleanedText(text)).toBe(expected);
    expect(parseWithoutPrototypeMembers(text)).toEqual(JSON.parse(expected));
  });

  it.each([
    '{"a":"__proto__"}',
    '{"a":"\\"__proto__\\":1"}',
    '{"constructor":{"a":{"prototype":1}}}',
    '{"constructor":"prototype"}',
    '{"properties":{"constructor":{"type":"string"},"prototype":{"type":"object"}}}',
    '{"__proto":1,"_proto__":2,"__PROTO__":3}',
    '["__proto__",{"a":["prototype"]}]',
    '{"a":"\\u0070"}',
    '"__proto__"',
    '{"__proto__"',
    '"__proto__',
    ',"__proto__":1',
    '}}{"prototype"',
  ])('keeps the exact bytes of %s', (text) => {
    const bytes = Buffer.from(text);
    expect(withoutPrototypeMembers(bytes)).toBe(bytes);
  });
});
