import { OpenApiCheck } from '../support/api/openapi-check.js';
import type { FuzzKey, FuzzRequest, FuzzResponse, Thing } from './requests/fuzz-request.js';
import { ResponseJudge } from './response-judge.js';

const error = {
  type: 'object',
  properties: { code: { type: 'number' }, message: { type: 'string' } },
  required: ['code', 'message'],
};
const envelope = { 'application/json': { schema: { type: 'object', properties: { error }, required: ['error'] } } };
const record = { type: 'object', properties: { hash: { type: 'string' } }, required: ['hash'] };
const responses = {
  200: {
    description: '',
    content: { 'application/json': { schema: { type: 'object', properties: { data: record }, required: ['data'] } } },
  },
  304: { description: '' },
  ...Object.fromEntries(
    [400, 401, 404, 429, 500, 503].map((status) => [status, { description: '', content: envelope }]),
  ),
};
const document = {
  openapi: '3.1.0',
  info: { title: '', version: '' },
  paths: {
    '/api/v1/keys/{hash}': { get: { responses } },
    '/api/v1/models': { get: { responses } },
    '/api/v1/novel': { get: { responses } },
    '/api/v1/oauth/token': { post: { responses } },
  },
};

const MANAGEMENT: FuzzKey = { name: 'management', header: 'Bearer x', account: 'first', column: 'management' };
const STANDARD: FuzzKey = { name: 'standard', header: 'Bearer x', account: 'first', column: 'standard' };
const request = (facts: Partial<FuzzRequest> = {}): FuzzRequest => ({
  index: 0,
  method: 'GET',
  path: '/api/v1/keys/abc',
  key: MANAGEMENT,
  headers: {},
  body: undefined,
  named: [],
  leaves: false,
  ...facts,
});
const json = (status: number, body: unknown, type = 'application/json; charset=utf-8'): FuzzResponse => ({
  status,
  headers: new Headers({ 'content-type': type }),
  body: Buffer.from(JSON.stringify(body)),
});
const failure = (status: number): FuzzResponse => json(status, { error: { code: status, message: 'No such key' } });
const GOOD = json(200, { data: { hash: 'abc' } });

describe('the judge of responses', () => {
  const judge = new ResponseJudge(new OpenApiCheck(document), ['the-credential']);
  const faults = (response: FuzzResponse, facts: Partial<FuzzRequest> = {}): string[] =>
    judge.faultsOf(request(facts), response);

  it('finds nothing in specified responses', () => {
    expect(faults(GOOD)).toEqual([]);
    expect(faults(failure(404))).toEqual([]);
    expect(faults(failure(401), { key: STANDARD })).toEqual([]);
    expect(faults(failure(404), { path: '/api/v1/nothing' })).toEqual([]);
  });

  it('reports a 500, even if the document contains this status', () => {
    expect(faults(failure(500))).toEqual(['status 500']);
    expect(faults(failure(500), { path: '/api/v1/nothing' })).toContain('status 500');
  });

  it('reports a status that the document contains but the list of the specification does not', () => {
    expect(faults(failure(503))).toEqual(['status 503 is not in the list of GET /keys/{}']);
  });

  it('reports a route that no list of statuses contains', () => {
    expect(faults(failure(404), { path: '/api/v1/novel' })).toEqual([
      expect.stringContaining('GET /novel is in no list'),
    ]);
  });

  it('reports a missing member, an undocumented member, and a member of a wrong type', () => {
    for (const data of [{}, { hash: 'abc', more: 1 }, { hash: 1 }])
      expect(faults(json(200, { data }))).toEqual([expect.stringContaining('not as documented')]);
  });

  it('requires the form of OAuth for errors of the token exchange', () => {
    const exchange = { method: 'POST', path: '/api/v1/oauth/token' };
    const fault = 'an error without the form of OAuth';
    expect(faults(json(400, { error: 'invalid_request', error_description: 'x' }), exchange)).not.toContain(fault);
    for (const body of [{ error: { code: 400, message: 'x' } }, { error: 'invalid_request' }])
      expect(faults(json(400, body), exchange)).toContain(fault);
  });

  it('finds an error that is not a JSON envelope with the code of the status', () => {
    expect(faults(json(404, { error: { code: 400, message: 'x' } }))).toEqual([
      expect.stringContaining('the code in the envelope is 400'),
    ]);
    expect(faults(json(404, { error: { code: 404, message: ' ' } }))).toEqual(['the envelope has no message']);
    expect(faults(json(404, { message: 'x' }))).toContain('an error without an envelope');
    expect(faults({ ...failure(404), headers: new Headers({ 'content-type': 'text/html' }) })).toContain(
      'an error with the content type "text/html"',
    );
  });

  it('reports a key that the service accepts or refuses contrary to the access matrix', () => {
    expect(faults(GOOD, { key: STANDARD })).toEqual(['status 200; GET /keys/{} must return 401 to standard']);
    expect(faults(failure(404), { key: STANDARD })).toEqual(['status 404; GET /keys/{} must return 401 to standard']);
    expect(faults(failure(400), { key: MANAGEMENT, path: '/api/v1/keys/%zz' })).toEqual([]);
    expect(
      faults(failure(400), { key: { ...MANAGEMENT, account: undefined, column: 'unknown' }, path: '/api/v1/keys/%zz' }),
    ).toHaveLength(1);
  });

  it('reports a success for an object of another account, and for a deleted object', () => {
    const thing: Thing = { kind: 'key', id: 'abc', account: 'second', gone: false };
    expect(faults(GOOD, { named: [thing] })).toEqual(['status 200 for a key of another account']);
    expect(faults(GOOD, { named: [{ ...thing, account: 'first', gone: true }] })).toEqual([
      'status 200 for a deleted key',
    ]);
    expect(faults(failure(404), { named: [thing] })).toEqual([]);
  });

  it('finds a 304 that was not requested', () => {
    const unchanged: FuzzResponse = { status: 304, headers: new Headers(), body: Buffer.alloc(0) };
    expect(faults(unchanged, { path: '/api/v1/models' })).toEqual(['status 304 is not in the list of GET /models']);
    expect(faults(unchanged, { path: '/api/v1/models', headers: { 'if-none-match': '*' } })).toEqual([]);
  });

  it('finds a 431 for a head that is not too large', () => {
    expect(faults(failure(431))).toContain('status 431 is not in the list of GET /keys/{}');
    expect(faults(failure(431), { headers: { authorization: 'x'.repeat(16_385) } })).toEqual([]);
  });

  it('finds a secret of the service in a response', () => {
    expect(faults(json(404, { error: { code: 404, message: 'the-credential' } }))).toEqual([
      'the response contains a secret of the service',
    ]);
  });
});
