import { GatewayError } from '../kernel/errors/errors.js';
import { attemptsOf } from '../usage/generation-detail.js';
import type { Principal } from '../kernel/principal.js';
import type { UsageLabels } from '../usage/usage-labels.js';
import { CallRecorder, type CallRecord } from './call-recorder.js';
import type { PlannedEndpoint, Task, TaskResponse } from './task.js';

const TASK = { capability: 'chat' } as Task<TaskResponse>;
const PLANNED = { model: 'acme/text', endpoint: { provider: 'acme' } } as PlannedEndpoint;
const CONTEXT = { caller: { accountNo: 1, workspaceNo: 2 } as Principal, signal: new AbortController().signal };
const OUTCOME = { upstreamCost: 7n, status: 200, isByok: false, streamed: true };

describe('the record of a call', () => {
  const stored = new Map<string, number>();
  const labels = {
    cached: (kind: string, value: string) => stored.get(`${kind} ${value}`),
    numberOf: (kind: string, value: string) => {
      const name = `${kind} ${value}`;
      if (!stored.has(name)) stored.set(name, stored.size + 1);
      return Promise.resolve(stored.get(name)!);
    },
  } as unknown as UsageLabels;
  const open = (task = TASK): Promise<CallRecord> =>
    Promise.resolve(new CallRecorder(labels).open(task, PLANNED, CONTEXT));
  beforeEach(() => stored.clear());

  it.each(['stop', 'length', 'tool_calls', 'content_filter', 'error'] as const)(
    'of text has the finish reason %s as a label',
    async (finishReason) => {
      const record = await open();
      expect(record.of({ ...OUTCOME, finishReason }).finish_reason).toBe(stored.get(`finishReason ${finishReason}`));
    },
  );

  it('has reasoning and cached tokens for text, and null instead of 0', async () => {
    const record = await open();
    const tokens = { prompt: 9, completion: 8, reasoning: 5, cached: 0 };
    expect(record.of({ ...OUTCOME, usage: { tokens } })).toMatchObject({
      tokens_reasoning: 5,
      tokens_cached: null,
    });
  });

  it.each(['chat', 'embeddings', 'image', 'speech'] as const)(
    'has a detail with every attempt for %s, also on failure',
    async (capability) => {
      const record = await open({ ...TASK, capability });
      const failure = { code: 'provider_failed', message: 'Broken' };
      record.attempts = [{ provider: 'acme', status: 500, latencyMs: 3, failure }];
      const recorded = { provider: 'acme', status: 500, latency_ms: 3, ...failure };
      for (const one of [record.of(OUTCOME), record.failed(new GatewayError('provider_failed', 'Broken'), true)])
        expect(one.detail?.provider_responses).toEqual([recorded]);
    },
  );

  it('states for text whether the caller disconnected, with or without a bill', async () => {
    const record = await open();
    const gone = new GatewayError('caller_gone', 'no');
    expect(record.of({ ...OUTCOME, cancelled: true }).detail?.cancelled).toBe(true);
    expect(record.failed(gone, true).detail?.cancelled).toBe(true);
    expect(record.of({ ...OUTCOME, cancelled: false }).detail?.cancelled).toBe(false);
  });

  it.each(['image', 'speech'] as const)(
    'has the reason if a call for %s fails before an attempt',
    async (capability) => {
      const record = await open({ ...TASK, capability });
      const { detail } = record.failed(new GatewayError('invalid_request', 'No such picture'), false);
      const reason = { code: 'invalid_request', message: 'No such picture' };
      expect(detail?.provider_responses).toEqual([{ provider: null, status: 0, latency_ms: 0, ...reason }]);
      expect(attemptsOf(detail!)).toEqual([]);
    },
  );

  it('needs no labels of finish reasons if the call is not for text', async () => {
    await open({ ...TASK, capability: 'image' });
    expect([...stored.keys()]).toEqual(['model acme/text', 'provider acme']);
  });
});
