import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { eventually } from '../../support/eventually.js';
import { PIXEL, type ScriptedVendor } from '../../support/vendors/scripted-vendor.js';
import { TEST_API_KEY, TEST_MANAGEMENT_KEY, type TestService } from '../../support/services/test-service.js';
import { startLoggedService, type LoggedService } from '../../support/services/logged-service.js';

const FLITE = { model: 'builtin/flite', voice: 'kal16', response_format: 'pcm', input: 'one' };
const SPEECH = { model: 'openai/tts-1', input: 'Hello', voice: 'alloy' };
const IMAGE = { model: 'openai/gpt-image-1', prompt: 'A lighthouse', quality: 'low', size: '1024x1024' };
const STANDARD_LABEL = 'tes...2345';
const MANAGEMENT_LABEL = 'tes...0123';

describe('the log', () => {
  let vendor: ScriptedVendor;
  let service: TestService;
  let log: LoggedService['log'];
  let lines: LoggedService['lines'];
  let linesOf: LoggedService['linesOf'];
  let call: LoggedService['call'];
  let accessLineOf: LoggedService['accessLineOf'];
  beforeAll(async () => {
    ({ vendor, service, log, lines, linesOf, call, accessLineOf } = await startLoggedService());
  });
  afterAll(async () => {
    await service.stop();
    await vendor.close();
  });
  beforeEach(() => void (log.written = []));

  describe('has a line for each request', () => {
    it('to inference, with method, route, status, time, label of the key, request id and generation id', async () => {
      const response = await call('POST', '/api/v1/audio/speech', TEST_API_KEY, FLITE);

      expect(await accessLineOf(response)).toEqual({
        level: 'info',
        time: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T.*Z$/),
        context: 'access',
        request_id: response.headers.get('x-request-id'),
        method: 'POST',
        route: '/api/v1/audio/speech',
        status: 200,
        ms: expect.any(Number),
        key: STANDARD_LABEL,
        generation_id: response.headers.get('x-generation-id'),
      });
    });

    it.each([
      ['GET', '/api/v1/keys/0000', TEST_MANAGEMENT_KEY, 404, '/api/v1/keys/:hash', MANAGEMENT_LABEL],
      [
        'GET',
        '/api/v1/end-users/a%20secret%20name',
        TEST_MANAGEMENT_KEY,
        404,
        '/api/v1/end-users/:user',
        MANAGEMENT_LABEL,
      ],
      ['GET', '/api/v1/models?q=a-secret-question', TEST_API_KEY, 200, '/api/v1/models', STANDARD_LABEL],
      ['GET', '/api/v1/models', undefined, 401, '/api/v1/models', undefined],
      ['GET', '/api/v1/models', randomBytes(20).toString('hex'), 401, '/api/v1/models', undefined],
      ['GET', '/api/v1/a-secret-place', TEST_API_KEY, 404, null, undefined],
      ['POST', '/api/v1/analytics/query', TEST_API_KEY, 403, '/api/v1/analytics/query', STANDARD_LABEL],
      ['POST', '/api/v1/audio/speech?a-secret=1', TEST_API_KEY, 400, '/api/v1/audio/speech', STANDARD_LABEL],
    ])(
      '(%s %s) with the pattern of the route, without the values of parameters',
      async (method, path, key, status, route, label) => {
        const response = await call(method, path, key, method === 'POST' ? {} : undefined);

        const line = await accessLineOf(response);
        expect(line).toMatchObject({ method, status, route });
        expect(line['key']).toBe(label);
        expect(JSON.stringify(line)).not.toContain('secret');
      },
    );

    it("with the caller's request id, if it is a UUID", async () => {
      const id = randomUUID();
      await fetch(`${service.origin}/api/v1/key`, {
        headers: { authorization: `Bearer ${TEST_API_KEY}`, 'x-request-id': id },
      });
      expect((await linesOf(id)).map(({ route }) => route)).toEqual(['/api/v1/key']);
    });

    it('with 499 if the caller left before the response', async () => {
      vendor.script({ kind: 'silence' });
      const id = randomUUID();
      const body = JSON.stringify(SPEECH);
      const { hostname, port } = new URL(service.origin);
      const socket = connect(Number(port), hostname);
      await once(socket, 'connect');
      const head = [
        'POST /api/v1/audio/speech HTTP/1.1',
        'host: x',
        `authorization: Bearer ${TEST_API_KEY}`,
        `x-request-id: ${id}`,
        'content-type: application/json',
      ];
      const seen = vendor.seen.length;
      socket.write(`${[...head, `content-length: ${body.length}`].join('\r\n')}\r\n\r\n${body}`);
      await eventually(async () => expect(vendor.seen.length).toBe(seen + 1));
      socket.destroy();

      expect((await linesOf(id)).at(-1)).toMatchObject({
        context: 'access',
        status: 499,
        cut: true,
        key: STANDARD_LABEL,
        generation_id: expect.stringMatching(/^gen-/),
      });
    });

    it('but not for health checks', async () => {
      await call('GET', '/healthz', undefined);
      await accessLineOf(await call('GET', '/api/v1/key', TEST_API_KEY));
      expect(lines('access')).toHaveLength(1);
    });

    it('with the ids of that request, even if many requests are answered at the same time', async () => {
      const responses = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          call('POST', '/api/v1/audio/speech', index % 2 === 0 ? TEST_API_KEY : undefined, FLITE),
        ),
      );

      for (const [index, response] of responses.entries()) {
        const line = await accessLineOf(response);
        expect([line['status'], line['key'], line['generation_id']]).toEqual(
          index % 2 === 0
            ? [200, STANDARD_LABEL, response.headers.get('x-generation-id')]
            : [401, undefined, undefined],
        );
      }
    });
  });

  it('has the request id in the line of an internal error', async () => {
    await service.sql.query('alter table audit_entry rename to audit_entry_away');
    const response = await call('POST', '/api/v1/keys', TEST_MANAGEMENT_KEY, { name: 'x' });
    await service.sql.query('alter table audit_entry_away rename to audit_entry');

    expect(response.status).toBe(500);
    const [error, access] = await linesOf(response.headers.get('x-request-id'));
    expect(error).toMatchObject({
      level: 'error',
      context: 'http',
      msg: expect.stringMatching(/^POST \/api\/v1\/keys failed: .*audit_entry/),
    });
    expect(access).toMatchObject({ context: 'access', status: 500 });
  });

  it('has no prompt, no text to speak, no picture and no key', async () => {
    const prompt = `Prompt${randomBytes(8).toString('hex')}`;
    await call('POST', '/api/v1/audio/speech', TEST_API_KEY, { ...FLITE, input: prompt });
    vendor.script(
      { kind: 'status', status: 500, body: { error: { message: prompt } } },
      { kind: 'status', status: 400, body: { error: { message: prompt } } },
    );
    await call('POST', '/api/v1/audio/speech', TEST_API_KEY, { ...SPEECH, input: prompt });
    await call('POST', '/api/v1/audio/speech', TEST_API_KEY, { ...SPEECH, input: prompt });
    await accessLineOf(await call('POST', '/api/v1/images', TEST_API_KEY, { ...IMAGE, prompt }));

    expect(lines('access')).toHaveLength(4);
    const text = log.written.join('\n');
    for (const secret of [prompt, PIXEL, TEST_API_KEY, 'a-credential-of-the-vendor'])
      expect(text).not.toContain(secret);
  });
});
