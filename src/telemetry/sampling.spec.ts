import { randomBytes } from 'node:crypto';
import { TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace';
import { samplingOf } from './sampling.js';

const parentOf = (traceFlags: number, traceId = 'ab'.repeat(16)) => ({ traceId, spanId: 'cd'.repeat(8), traceFlags });

describe('the sampler', () => {
  it.each([
    ['always_on', true, true, true],
    ['always_off', false, false, false],
    ['parentbased_always_on', true, true, false],
    ['parentbased_always_off', false, true, false],
  ] as const)(
    '%s decides %s without a parent, %s below a sampled parent, %s below an unsampled parent',
    (name, alone, sampled, unsampled) => {
      const samples = samplingOf({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: undefined });
      expect([samples(undefined), samples(parentOf(1)), samples(parentOf(0))]).toEqual([alone, sampled, unsampled]);
    },
  );

  it.each([
    [0, false],
    [1, true],
    [undefined, true],
  ])('with the share %s traces a new request: %s', (share, traced) => {
    for (const name of ['traceidratio', 'parentbased_traceidratio'] as const)
      expect(samplingOf({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: share })(undefined)).toBe(traced);
  });

  it('makes the same decision for a trace id as the SDK in other services', () => {
    const sdk = new TraceIdRatioBasedSampler(0.3);
    const samples = samplingOf({ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: 0.3 });
    const ids = Array.from({ length: 2_000 }, () => randomBytes(16).toString('hex'));
    const decisions = ids.map((id) => samples(parentOf(0, id)));
    // 2 = record and sample.
    expect(decisions).toEqual(ids.map((id) => (sdk.shouldSample(undefined, id).decision as number) === 2));
    expect(new Set(decisions).size).toBe(2);
  });
});
