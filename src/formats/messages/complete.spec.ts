import { GatewayError } from '../../kernel/errors/errors.js';
import { completeMessage } from './complete.js';

const HEAD = { id: 'gen-1', model: 'm', provider: 'P', created: 1 };
const failure = (): GatewayError => new GatewayError('provider_failed', 'The provider failed');

describe('a complete message of a vendor', () => {
  it.each([
    [undefined, null, 'end_turn', 'stop'],
    [null, null, 'end_turn', 'stop'],
    ['', null, 'end_turn', 'stop'],
    ['end_turn', 'end_turn', 'end_turn', 'stop'],
    ['max_tokens', 'max_tokens', 'max_tokens', 'length'],
  ])('with the stop reason %j has the native reason %j and the stop reason %j', (sent, native, stopReason, reason) => {
    const body = { type: 'message', content: [{ type: 'text', text: 'a' }], stop_reason: sent };
    const message = completeMessage(Buffer.from(JSON.stringify(body)), HEAD, failure);
    expect([message.nativeFinishReason, message.finishReason]).toEqual([native, reason]);
    expect(JSON.parse(message.body({}))).toMatchObject({ stop_reason: stopReason });
  });
});
