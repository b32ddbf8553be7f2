import { faultsOf } from './document-faults.js';
import type { OpenApiDocument } from './openapi-document.js';

const BODY = 'paths /boats post requestBody content application/json';
const BOAT = { $ref: '#/components/schemas/Boat' };

const goodDocument = (): object => ({
  openapi: '3.1.0',
  info: { title: 'boats', version: '1.0.0' },
  paths: {
    '/boats': {
      post: {
        operationId: 'launch',
        summary: 'Launch a boat',
        requestBody: { content: { 'application/json': { schema: BOAT, example: { name: 'Ada' } } } },
        responses: { 201: { description: 'launched' } },
      },
    },
  },
  components: { schemas: { Boat: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } } },
});

/**
 * The faults after the member at `place` (steps separated by spaces) is set to `value`; undefined removes the member.
 */
function faultsWith(place: string, value: unknown): Promise<string[]> {
  const document = goodDocument();
  const steps = place.split(' ');
  const last = steps.pop()!;
  const parent = steps.reduce((at, step) => at[step] as Record<string, unknown>, document as Record<string, unknown>);
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return faultsOf(document as OpenApiDocument);
}

describe('faultsOf an OpenAPI document', () => {
  it('finds nothing in a good document', async () => {
    expect(await faultsOf(goodDocument() as OpenApiDocument)).toEqual([]);
  });

  it.each([
    ['a violation of the meta-schema', 'info title', undefined, "must have required property 'title'"],
    ['another version of OpenAPI', 'openapi', '3.0.3', 'not 3.1'],
    [
      'the keyword nullable',
      'components schemas Boat properties name',
      { type: 'string', nullable: true },
      'uses nullable',
    ],
    [
      'a boolean bound',
      'components schemas Boat properties name',
      { type: 'number', exclusiveMinimum: true },
      'boolean exclusiveMinimum',
    ],
    ['a missing operationId', 'paths /boats post operationId', undefined, 'has no operationId'],
    ['a missing summary', 'paths /boats post summary', undefined, 'has no summary'],
    [
      'an operation that never succeeds',
      'paths /boats post responses',
      { 400: { description: 'no' } },
      'documents no success',
    ],
    [
      'a status without description',
      'paths /boats post responses 404',
      { description: '' },
      'does not describe its 404',
    ],
    [
      'a repeated operationId',
      'paths /boats put',
      { operationId: 'launch', summary: 's', responses: { 200: { description: 'd' } } },
      'two operations are called launch',
    ],
    ['a dangling reference', `${BODY} schema`, { $ref: '#/components/schemas/Ship' }, '/Ship'],
    ['an example that does not match its schema', `${BODY} example`, { name: 3 }, 'does not match its schema'],
    [
      'one of several examples that does not match its schema',
      `${BODY} examples`,
      { good: { value: { name: 'a' } }, bad: { value: {} } },
      'does not match its schema, {}',
    ],
    ['a misspelt member of an example', `${BODY} example`, { name: 'a', nmae: 'b' }, 'does not match its schema'],
  ])('finds %s', async (_what, place, value, fault) => {
    expect((await faultsWith(place, value)).join('\n')).toContain(fault);
  });
});
