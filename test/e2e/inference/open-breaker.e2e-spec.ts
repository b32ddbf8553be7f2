import { jest } from '@jest/globals';
import { LedgerCells } from '../../../src/billing/ledger/ledger-cells.js';
import { EndpointHealth } from '../../../src/inference/routing/endpoint-health.js';
import { startTextStage, HELLO, type TextStage } from '../../support/calls/text-stage.js';
import { anImageEndpoint, aSpeechEndpoint, teach } from '../../support/catalogue/test-catalogue.js';
import { anEndpoint } from '../../support/catalogue/catalogue-builder.js';

const CALLS = 20;
const PAUSE_SECONDS = 60;
const WAV = Buffer.from('RIFF').toString('base64');

describe('an open circuit breaker', () => {
  let stage: TextStage;
  beforeAll(async () => {
    stage = await startTextStage({ env: { BREAKER_FAILURES: '1', BREAKER_PAUSE_MS: String(PAUSE_SECONDS * 1_000) } });
    teach(stage.service, {
      'rules/picture': [anImageEndpoint('openai')],
      'rules/voice': [aSpeechEndpoint('openai')],
      'rules/scribe': [
        anEndpoint('openai', {
          capability: 'transcription',
          adapter: 'openai-compatible',
          pricing: [{ billable: 'input_audio', unit: 'second', costUsd: '0.0001' }],
        }),
      ],
    });
  });
  afterAll(() => stage.stop());

  const reservations = (): number => {
    const { samples } = stage.service.app.get(LedgerCells, { strict: false }).reservations.family();
    return [...samples].reduce((sum, { value }) => sum + Number(value), 0);
  };
  const vendorCalls = (): number => Object.values(stage.vendors).reduce((sum, { seen }) => sum + seen.length, 0);
  const records = async (): Promise<number> =>
    Number((await stage.service.sql.query<{ n: bigint }>('select count(*) as n from generation'))[0]!.n);

  it.each([
    ['/chat/completions', 503, { model: 'rules/openai', messages: HELLO }],
    ['/chat/completions', 503, { model: 'rules/openai', messages: HELLO, stream: true }],
    ['/completions', 503, { model: 'rules/deepinfra', prompt: 'Hello' }],
    ['/responses', 503, { model: 'rules/openai', input: 'Hello' }],
    ['/responses', 503, { model: 'rules/openai', input: 'Hello', stream: true }],
    ['/messages', 503, { model: 'rules/openai', messages: HELLO, max_tokens: 10 }],
    ['/messages', 503, { model: 'rules/openai', messages: HELLO, max_tokens: 10, stream: true }],
    ['/audio/transcriptions', 503, { model: 'rules/scribe', input_audio: { data: WAV, format: 'wav' } }],
    ['/audio/speech', 503, { model: 'rules/voice', input: 'Hello', voice: 'alloy' }],
    ['/images', 502, { model: 'rules/picture', prompt: 'A kite' }],
    ['/images', 502, { model: 'rules/picture', prompt: 'A kite', stream: true }],
  ])('refuses %s with %i and Retry-After before anything is reserved', async (path, status, json) => {
    const call = () => stage.service.standard.post(path, { json });
    // If the circuit breaker is closed, the first call opens it.
    for (const vendor of Object.values(stage.vendors)) vendor.script({ status: 500 });
    expect((await call()).status).toBeGreaterThanOrEqual(500);
    const before = [reservations(), await records(), vendorCalls()];
    const answers = await Promise.all(Array.from({ length: CALLS }, call));
    for (const answer of answers) {
      expect([answer.status, answer.text]).toEqual([status, expect.stringContaining('healthy')]);
      const wait = Number(answer.headers.get('retry-after'));
      expect(wait).toBeGreaterThanOrEqual(1);
      expect(wait).toBeLessThanOrEqual(PAUSE_SECONDS);
    }
    expect([reservations(), await records(), vendorCalls()]).toEqual(before);
  });

  it.each([
    ['/chat/completions', { model: 'rules/deepinfra', messages: HELLO }],
    ['/chat/completions', { model: 'rules/deepinfra', messages: HELLO, stream: true }],
    ['/messages', { model: 'rules/deepinfra', messages: HELLO, max_tokens: 10 }],
  ])(
    'refuses %s without a generation id and without a record if it opens after the call was planned',
    async (path, json) => {
      const before = [await records(), vendorCalls()];
      // The first check belongs to the plan.
      const isCallable = jest.spyOn(stage.service.app.get(EndpointHealth, { strict: false }), 'isCallable');
      isCallable.mockReturnValue(false).mockReturnValueOnce(true);
      try {
        const { status, headers, json: body } = await stage.service.standard.post(path, { json });
        expect([status, headers.get('x-generation-id')]).toEqual([503, null]);
        expect(body.request_id ?? null).toBeNull();
        expect(isCallable.mock.calls.length).toBeGreaterThan(1);
      } finally {
        isCallable.mockRestore();
      }
      expect([await records(), vendorCalls()]).toEqual(before);
    },
  );
});
