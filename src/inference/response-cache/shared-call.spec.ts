import { jest } from '@jest/globals';
import { SharedCall } from './shared-call.js';

describe('a shared call', () => {
  const abandoned = jest.fn();
  beforeEach(() => void abandoned.mockReset());

  it('ends when the last reader leaves, with the reason of that reader', () => {
    const call = new SharedCall(abandoned);
    const readers = [new AbortController(), new AbortController()];
    readers.forEach(({ signal }) => call.enter(signal));
    readers[0]!.abort(new Error('first'));
    expect([call.hasReaders, call.signal.aborted, abandoned.mock.calls.length]).toEqual([true, false, 0]);
    readers[1]!.abort(new Error('second'));
    expect([call.hasReaders, call.signal.reason, abandoned.mock.calls.length]).toEqual([false, new Error('second'), 1]);
  });

  it('continues for a second reader when the first reader leaves', () => {
    const call = new SharedCall(abandoned);
    const leave = call.enter(new AbortController().signal);
    call.enter(new AbortController().signal);
    leave();
    leave();
    expect([call.hasReaders, call.signal.aborted]).toEqual([true, false]);
  });

  it('is not aborted after it has ended', () => {
    const call = new SharedCall(abandoned);
    const reader = new AbortController();
    call.enter(reader.signal);
    call.finish();
    reader.abort();
    expect([call.signal.aborted, abandoned.mock.calls.length]).toEqual([false, 0]);
  });

  it('ends if its only reader has already left', () => {
    const call = new SharedCall(abandoned);
    const gone = jest.fn();
    call.enter(AbortSignal.abort(), gone);
    expect([call.hasReaders, call.signal.aborted, gone.mock.calls.length]).toEqual([false, true, 1]);
  });
});
