import { OpenApiCheck } from './openapi-check.js';
import type { OpenApiDocument } from './openapi-document.js';

const json = (schema: object) => ({ 'application/json': { schema } });

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'a', version: '1.0.0' },
  paths: {
    '/api/v1/boats/{id}': {
      get: {
        responses: {
          200: { description: 'a boat', content: json({ $ref: '#/components/schemas/Boat' }) },
          404: { $ref: '#/components/responses/Missing' },
        },
      },
      delete: { responses: { 204: { description: 'gone' } } },
    },
    '/api/v1/boats/count': {
      get: { responses: { 200: { description: 'how many', content: json({ type: 'integer' }) } } },
    },
    '/api/v1/horn': {
      post: {
        responses: {
          200: {
            description: 'sound',
            headers: { 'X-Id': { required: true } },
            content: { 'audio/*': { schema: { type: 'string', format: 'binary' } } },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Boat: {
        type: 'object',
        required: ['id', 'built', 'owner'],
        properties: {
          id: { type: 'string' },
          built: { type: 'string', format: 'date-time' },
          owner: { anyOf: [{ $ref: '#/components/schemas/Owner' }, { type: 'null' }] },
          cargo: { type: 'object', additionalProperties: { type: 'number' } },
          extra: {
            allOf: [
              { $ref: '#/components/schemas/Owner' },
              { type: 'object', properties: { age: { type: 'integer' } } },
            ],
          },
        },
      },
      Owner: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
      Error: { type: 'object', required: ['error'], properties: { error: { type: 'string' } } },
    },
    responses: { Missing: { description: 'no such boat', content: json({ $ref: '#/components/schemas/Error' }) } },
  },
} as unknown as OpenApiDocument;

const BOAT = {
  id: 'a',
  built: '2026-01-02T03:04:05Z',
  owner: { name: 'Ada' },
  cargo: { tea: 3 },
  extra: { name: 'Bo', age: 3 },
};

describe('OpenApiCheck', () => {
  const check = new OpenApiCheck(DOCUMENT);
  const judge =
    (method: string, path: string, status: number, body: unknown, headers: Record<string, string> = {}) =>
    () =>
      check.expectDocumented(
        method,
        path,
        status,
        new Headers({ 'content-type': 'application/json; charset=utf-8', ...headers }),
        body === undefined ? new Uint8Array() : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
      );

  it.each([
    ['a body as documented', judge('GET', '/api/v1/boats/a?x=1', 200, BOAT)],
    ['null if null is documented', judge('GET', '/api/v1/boats/a', 200, { ...BOAT, owner: null })],
    ['a documented error by reference', judge('GET', '/api/v1/boats/a', 404, { error: 'no' })],
    ['the literal path before the template', judge('GET', '/api/v1/boats/count', 200, 3)],
    ['an empty body if none is documented', judge('DELETE', '/api/v1/boats/a', 204, undefined)],
    [
      'bytes by their content type',
      judge('POST', '/api/v1/horn', 200, 'ID3', { 'content-type': 'audio/mpeg', 'x-id': '1' }),
    ],
    ['404 on a path that no route has', judge('GET', '/api/v1/nowhere', 404, 'x')],
  ])('accepts %s', (_what, judged) => {
    expect(judged).not.toThrow();
  });

  it.each([
    ['an undocumented status', judge('GET', '/api/v1/boats/a', 418, BOAT), 'documented are 200, 404'],
    ['an undocumented route', judge('GET', '/api/v1/nowhere', 200, BOAT), 'no such route'],
    ['an undocumented method', judge('PUT', '/api/v1/horn', 200, BOAT), 'no such route'],
    [
      'a missing member',
      judge('GET', '/api/v1/boats/a', 200, { ...BOAT, id: undefined }),
      "must have required property 'id'",
    ],
    [
      'null if null is not documented',
      judge('GET', '/api/v1/boats/a', 200, { ...BOAT, id: null }),
      '/id must be string',
    ],
    [
      'an undocumented member',
      judge('GET', '/api/v1/boats/a', 200, { ...BOAT, secret: 's' }),
      '"unevaluatedProperty":"secret"',
    ],
    [
      'an undocumented member of a nested object',
      judge('GET', '/api/v1/boats/a', 200, { ...BOAT, owner: { name: 'Ada', ssn: 1 } }),
      '"unevaluatedProperty":"ssn"',
    ],
    [
      'an undocumented member in a composition',
      judge('GET', '/api/v1/boats/a', 200, { ...BOAT, extra: { name: 'Bo', age: 3, ssn: 1 } }),
      '"unevaluatedProperty":"ssn"',
    ],
    [
      'a malformed date',
      judge('GET', '/api/v1/boats/a', 200, { ...BOAT, built: 'yesterday' }),
      'must match format "date-time"',
    ],
    ['a body that is not JSON', judge('GET', '/api/v1/boats/a', 200, '{'), 'not JSON'],
    ['a body if none is documented', judge('DELETE', '/api/v1/boats/a', 204, 'x'), 'describes no body'],
    ['another content type', judge('POST', '/api/v1/horn', 200, {}, { 'x-id': '1' }), 'documented are audio/*'],
    [
      'a missing header',
      judge('POST', '/api/v1/horn', 200, 'ID3', { 'content-type': 'audio/mpeg' }),
      'without the header X-Id',
    ],
  ])('refuses %s', (_what, judged, message) => {
    expect(judged).toThrow(message);
  });
});
