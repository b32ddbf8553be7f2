import { GatewayError } from '../../kernel/errors/errors.js';
import {
  callItem,
  messageItem,
  reasoningItem,
  RESPONSES_USAGE,
  vendorResponse,
} from '../../../test/support/vendors/responses-vendor.js';
import { completeResponse } from './complete.js';

const HEAD = { id: 'gen-1', model: 'author/model', provider: 'Vendor', created: 1_700_000_000 };
const USAGE = { input_tokens: 1 };
const ITEMS = [reasoningItem('Hm'), messageItem('Hi'), callItem('f', {})];

const complete = (response: unknown, excludesReasoning = false) =>
  completeResponse(Buffer.from(typeof response === 'string' ? response : JSON.stringify(response)), {
    head: HEAD,
    request: { input: 'x' },
    excludesReasoning,
    failure: () => new GatewayError('rate_limited', 'vendor'),
  });

describe('a complete response of /responses', () => {
  it('is the response of the vendor, with our id and model, and with the billed usage', () => {
    const read = complete(vendorResponse(ITEMS));
    expect(JSON.parse(read.body(USAGE))).toMatchObject({
      ...vendorResponse(ITEMS),
      id: 'gen-1',
      model: 'author/model',
      provider: 'Vendor',
      usage: USAGE,
      frequency_penalty: null,
      presence_penalty: null,
    });
    expect(read).toMatchObject({ usage: RESPONSES_USAGE, upstreamId: 'resp_vendor', serviceTier: 'default' });
    expect(read).toMatchObject({ finishReason: 'tool_calls', sawOutput: true, finished: true });
    expect(read.text()).toEqual(['Hm', 'Hi', 'f', '{}']);
  });

  it("repeats the settings of the caller's request, not of the request to the vendor", () => {
    const echoed = vendorResponse(ITEMS, { instructions: 'Other', user: 'a hash', safety_identifier: 'a hash' });
    const body = JSON.parse(complete(echoed).body(USAGE));
    expect([body.instructions, body.user, body.safety_identifier]).toEqual([null, null, undefined]);
  });

  it('has all members that clients require, even if the vendor sends few members', () => {
    const part = { type: 'output_text', text: 'Hi' };
    const bare = { object: 'response', output: [{ type: 'message', id: 'm', content: [part] }] };
    const body = JSON.parse(complete(bare).body(USAGE));
    expect(body).toMatchObject({ status: 'completed', created_at: HEAD.created, completed_at: expect.any(Number) });
    expect(body.output).toEqual([
      { type: 'message', id: 'm', role: 'assistant', status: 'completed', content: [{ ...part, annotations: [] }] },
    ]);
  });

  it('omits excluded reasoning, and counts it', () => {
    const read = complete(vendorResponse(ITEMS), true);
    expect(JSON.parse(read.body(USAGE)).output).toEqual(ITEMS.slice(1));
    expect(read.text()).toContain('Hm');
  });

  it('has the finish reason length if it is incomplete', () => {
    const more = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
    expect(complete(vendorResponse(ITEMS, more))).toMatchObject({ finishReason: 'length' });
  });

  it.each([
    [vendorResponse([], { status: 'failed', error: { code: 'x', message: 'y' } }), 'rate_limited'],
    [vendorResponse([], { status: 'cancelled' }), 'rate_limited'],
    [vendorResponse([], { status: 'in_progress' }), 'rate_limited'],
    [{ error: { message: 'y' } }, 'rate_limited'],
    [{ object: 'response' }, 'provider_failed'],
    ['[]', 'provider_failed'],
    ['<html>', 'provider_failed'],
  ])('is a failure if the vendor sends %j', (response, kind) => {
    expect(() => complete(response)).toThrow(expect.objectContaining({ kind }));
  });
});
