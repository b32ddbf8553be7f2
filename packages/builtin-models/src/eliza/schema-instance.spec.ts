import { Ajv } from 'ajv';
import fc from 'fast-check';
import { instanceOf } from './schema-instance.ts';

const ajv = new Ajv({ strict: false });
const instance = (schema: unknown): unknown => JSON.parse(instanceOf(schema, 'Hello.'));

describe('an instance of a schema', () => {
  it.each<[string, unknown, unknown]>([
    ['no schema', true, 'Hello.'],
    ['a string', { type: 'string' }, 'Hello.'],
    ['a string of bounded length', { type: 'string', minLength: 8, maxLength: 9 }, 'Hello...'],
    ['a string that is too short for the reply', { type: 'string', maxLength: 4 }, 'Hell'],
    ['a constant', { const: { a: [1] } }, { a: [1] }],
    ['an enumeration', { type: 'string', enum: ['b', 'c'] }, 'b'],
    ['a number', { type: 'number' }, 0],
    ['an integer with a minimum', { type: 'integer', minimum: 1.5 }, 2],
    ['an integer with exclusive bounds', { type: 'integer', exclusiveMinimum: -9, exclusiveMaximum: -4 }, -5],
    ['a boolean', { type: 'boolean' }, false],
    ['null, by its type', { type: 'null' }, null],
    ['a type that may be null', { type: ['string', 'null'] }, 'Hello.'],
    ['an array', { type: 'array', items: { type: 'string' } }, []],
    ['an array with a minimum length', { type: 'array', items: { type: 'integer' }, minItems: 2 }, [0, 0]],
    ['an object without properties', { type: 'object' }, { reply: 'Hello.' }],
    ['an object that may have no properties', { type: 'object', additionalProperties: false }, {}],
    [
      'an object without required properties',
      { properties: { n: { type: 'number' }, s: { type: 'string' } } },
      { s: 'Hello.' },
    ],
    ['a required property that the schema does not define', { type: 'object', required: ['a'] }, { a: 'Hello.' }],
    [
      'additional properties with a schema',
      { type: 'object', required: ['a'], additionalProperties: { type: 'integer' } },
      { a: 0 },
    ],
    ['the first of several options', { anyOf: [{ type: 'integer' }, { type: 'string' }] }, 0],
    [
      'a reference',
      {
        $defs: { mood: { enum: ['sad'] } },
        type: 'object',
        properties: { m: { $ref: '#/$defs/mood' } },
        required: ['m'],
      },
      { m: 'sad' },
    ],
  ])('is valid and as expected for %s', (_, schema, expected) => {
    expect(instance(schema)).toEqual(expected);
    expect(ajv.validate(schema as object, expected)).toBe(true);
  });

  it('has the reply only in the first string of the outermost level, and members in the order of the schema', () => {
    const schema = {
      type: 'object',
      properties: {
        inner: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
        kind: { const: 'k' },
        text: { type: 'string' },
        more: { type: 'string' },
      },
      required: ['more', 'text', 'inner', 'kind'],
    };
    expect(instanceOf(schema, 'Hi.')).toBe('{"inner":{"text":""},"kind":"k","text":"Hi.","more":""}');
  });

  it('has the reply in a nested string if there is no outer string', () => {
    const inner = { type: 'object', properties: { text: { type: 'string' } } };
    expect(instance({ type: 'object', properties: { inner }, required: ['inner'] })).toEqual({
      inner: { text: 'Hello.' },
    });
  });

  it('has a limited size for schemas that refer to themselves or require too many values', () => {
    const list = { type: 'array', minItems: 1_000_000, items: { $ref: '#' } };
    const tree = { type: 'object', required: ['a', 'b'], additionalProperties: { $ref: '#' } };
    for (const schema of [list, tree, { $ref: '#' }, { type: 'string', minLength: 1e9 }]) {
      const text = instanceOf(schema, 'Hello.');
      expect(() => JSON.parse(text)).not.toThrow();
      expect(text.length).toBeLessThan(20_000);
    }
  });

  it('treats names such as __proto__ as names', () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}',
    );
    expect(instanceOf(schema, 'Hi.')).toBe('{"__proto__":"Hi."}');
  });

  // The validator calls members of these names when it compares two objects.
  const isComparable = (value: unknown): boolean => !/"(?:valueOf|toString|constructor)":/.test(JSON.stringify(value));

  it('is JSON for any schema, and valid for any simple schema', () => {
    const { schema } = fc.letrec<{ schema: object }>((tie) => ({
      schema: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.constantFrom('string', 'integer', 'number', 'boolean', 'null').map((type) => ({ type })),
        fc.record({ const: fc.jsonValue().filter(isComparable) }),
        fc.record({ enum: fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 3 }) }),
        fc.record({ type: fc.constant('array'), items: tie('schema'), minItems: fc.nat(2) }),
        fc
          .tuple(fc.dictionary(fc.string({ maxLength: 4 }), tie('schema'), { maxKeys: 3 }), fc.boolean())
          .map(([properties, isOpen]) => ({
            type: 'object',
            properties,
            required: Object.keys(properties).filter((_, at) => at % 2 === 0),
            additionalProperties: isOpen,
          })),
      ),
    }));
    fc.assert(fc.property(schema, (simple) => ajv.validate(simple, instance(simple))));
    fc.assert(fc.property(fc.jsonValue(), (any) => void JSON.parse(instanceOf(any, 'Hello.'))));
  });
});
