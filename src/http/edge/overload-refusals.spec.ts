import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { Overload } from '../../kernel/scheduling/overload.js';
import { Metrics } from '../../telemetry/metrics.js';
import { OverloadRefusals } from './overload-refusals.js';

describe('the queue of a call', () => {
  let isStrained: boolean;
  let queue: string;
  const overload = new Overload();
  Object.defineProperty(overload, 'isStrained', { get: () => isStrained });
  overload.decide = (key) => {
    queue = key;
    return 'start';
  };
  const refusals = new OverloadRefusals(overload, new Metrics());
  refusals.isKnown = (secret) => secret === 'known';
  beforeEach(() => {
    isStrained = false;
  });

  const queueOf = (headers: Record<string, string>): string => {
    const request = new IncomingMessage(new Socket());
    Object.assign(request.headers, headers);
    refusals.decide(request);
    return queue;
  };

  it.each([
    [{ authorization: 'Bearer known' }],
    [{ authorization: 'bEARER   known  ' }],
    [{ 'x-api-key': 'known' }],
    [{ authorization: ' ', 'x-api-key': 'known' }],
  ])('is the same for each spelling of a known key: %j', (headers) => {
    for (isStrained of [false, true]) expect(queueOf(headers)).toBe('known');
  });

  it('is shared by all unknown secrets while calls wait or may be refused', () => {
    expect(queueOf({ authorization: 'Bearer guessed' })).toBe('guessed');
    isStrained = true;
    for (const authorization of ['Bearer guessed', 'Bearer other', 'Basic abc'])
      expect(queueOf({ authorization })).toBe('');
    expect(queueOf({})).toBe('');
  });
});
