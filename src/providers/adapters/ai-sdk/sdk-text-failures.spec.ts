import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { GatewayError } from '../../../kernel/errors/errors.js';
import {
  aConversation,
  aTextCall,
  deltasOf,
  startScriptedTextVendor,
} from '../../../../test/support/vendors/scripted-text-vendor.js';
import { TEXT_VENDORS, type TextVendorFormat } from '../../../../test/support/vendors/text-vendor-formats.js';

const { anthropic, cohere, mistral } = TEXT_VENDORS;
const MIB = 1_048_576;
const NAMES = Object.keys(TEXT_VENDORS) as (keyof typeof TEXT_VENDORS)[];

describe('failures of text through the vendors’ packages', () => {
  let vendor: Awaited<ReturnType<typeof startScriptedTextVendor>>;
  beforeAll(async () => {
    vendor = await startScriptedTextVendor();
  });
  afterAll(() => vendor.close());
  beforeEach(() => void (vendor.seen.length = 0));

  it.each(NAMES)('%s: a 400 is an invalid request, with the vendor’s message, without the credential', async (name) => {
    const format: TextVendorFormat = TEXT_VENDORS[name];
    for (const streamed of [false, true]) {
      vendor.reply((response) => {
        response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(format.errorBody));
      });
      const failure = vendor.text.converse(aTextCall(format, aConversation(), { streamed }));
      const { message } = (format.errorBody as { error?: { message: string } }).error ?? (format.errorBody as Error);
      await expect(failure).rejects.toMatchObject({ kind: 'invalid_request', message });
    }
  });

  it.each(NAMES)('%s: a 429 keeps Retry-After, and the request is not repeated', async (name) => {
    const format: TextVendorFormat = TEXT_VENDORS[name];
    vendor.reply((response) => void response.writeHead(429, { 'retry-after': '7' }).end('{}'));
    await expect(vendor.text.converse(aTextCall(format, aConversation(), { streamed: true }))).rejects.toMatchObject({
      kind: 'rate_limited',
      headers: { 'retry-after': '7' },
    });
    expect(vendor.seen).toHaveLength(1);
  });

  it.each(NAMES)('%s: an error within a stream, a closed connection and a missing end are failures', async (name) => {
    const format: TextVendorFormat = TEXT_VENDORS[name];
    const turn = { text: ['one ', 'two '], finish: 'stop', usage: format.usage };
    const events = format.events(turn).slice(0, name === 'anthropic' ? 4 : name === 'google' ? 1 : 2);
    for (const end of [
      (response: ServerResponse) => void response.end(format.errorEvent),
      (response: ServerResponse) => void setTimeout(() => response.destroy(), 20),
      (response: ServerResponse) => void response.end(),
    ]) {
      vendor.reply((response) => {
        response.writeHead(200, { 'content-type': format.contentType });
        for (const event of events) response.write(event);
        end(response);
      });
      const call = vendor.text.converse(aTextCall(format, aConversation(), { streamed: true }));
      await expect(call.then(deltasOf)).rejects.toBeInstanceOf(GatewayError);
    }
  });

  describe.each([
    ['ends', (response: ServerResponse) => void response.end()],
    ['breaks off', (response: ServerResponse) => void setTimeout(() => response.destroy(), 20)],
  ])('anthropic: a stream that %s', (_, end) => {
    /** Replies with the events of a complete stream without the last `missing` ones. */
    const callWithout = (missing: number, finish: string | null = 'end_turn') => {
      const turn = { text: ['one ', 'two '], finish: finish as string, usage: anthropic.usage };
      vendor.reply((response) => {
        response.writeHead(200, { 'content-type': anthropic.contentType });
        for (const event of anthropic.events(turn).slice(0, missing === 0 ? undefined : -missing))
          response.write(event);
        end(response);
      });
      return vendor.text.converse(aTextCall(anthropic, aConversation(), { streamed: true }));
    };

    it.each([0, 1])('after the stop reason counts as complete (missing events: %i)', async (missing) => {
      const response = await callWithout(missing);
      expect((await deltasOf(response)).filter(({ type }) => type === 'finish')).toEqual([
        { type: 'finish', reason: 'stop', native: 'end_turn' },
      ]);
      expect(response.usage()).toEqual(anthropic.usage);
    });

    it.each([
      ['before the stop reason', 2, 'end_turn'],
      ['after an event that has no stop reason', 1, null],
    ])('%s is a failure', async (__, missing, finish) => {
      const deltas = callWithout(missing, finish).then(deltasOf);
      await expect(deltas).rejects.toMatchObject({ kind: 'provider_failed' });
    });
  });

  it.each([
    ['anthropic', 'provider_overloaded', 529, 'overloaded_error'],
    ['google', 'provider_overloaded', 503, 'UNAVAILABLE'],
  ] as const)(
    '%s: the type of an error within a stream determines the failure',
    async (name, kind, status, vendorCode) => {
      const format: TextVendorFormat = TEXT_VENDORS[name];
      vendor.reply((response) => {
        response.writeHead(200, { 'content-type': format.contentType });
        const [first] = format.events({ text: ['one'], finish: format.stop, usage: format.usage });
        response.end(Buffer.concat([first!, format.errorEvent]));
      });
      const call = vendor.text.converse(aTextCall(format, aConversation(), { streamed: true }));
      await expect(call.then(deltasOf)).rejects.toMatchObject({ kind, vendorStatus: status, facts: { vendorCode } });
    },
  );

  it.each(NAMES)('%s: the connection is closed when the caller disconnects or stops reading', async (name) => {
    const format: TextVendorFormat = TEXT_VENDORS[name];
    const turn = { text: ['one ', 'two '], finish: 'stop', usage: format.usage };
    for (const way of ['signal', 'return'] as const) {
      const closed = Promise.withResolvers<void>();
      vendor.reply((response) => {
        response.on('close', closed.resolve);
        response.writeHead(200, { 'content-type': format.contentType });
        for (const event of format.events(turn).slice(0, -2)) response.write(event);
      });
      const caller = new AbortController();
      const response = await vendor.text.converse(
        aTextCall(format, aConversation(), { streamed: true, signal: caller.signal }),
      );
      await response.deltas.next();
      if (way === 'return') await response.deltas.return!();
      else caller.abort(new GatewayError('caller_gone', 'gone'));
      if (way === 'signal') await expect(deltasOf(response)).rejects.toMatchObject({ kind: 'caller_gone' });
      await expect(closed.promise).resolves.toBeUndefined();
    }
  });

  it.each(NAMES)('%s: an event larger than 1 MiB fails before its end has arrived', async (name) => {
    const format: TextVendorFormat = TEXT_VENDORS[name];
    const isFramed = !format.contentType.includes('event-stream');
    const begin = isFramed ? Buffer.from([0, 0x10, 0, 1]) : Buffer.from('data: ');
    const closed = Promise.withResolvers<void>();
    vendor.reply((response) => {
      response.on('close', closed.resolve);
      response.writeHead(200, { 'content-type': format.contentType }).write(begin);
      // A frame is refused because of the length in its first bytes, so its rest is not sent.
      if (!isFramed) response.write(Buffer.alloc(MIB, 'x'));
    });
    const call = vendor.text.converse(aTextCall(format, aConversation(), { streamed: true }));
    await expect(call.then(deltasOf)).rejects.toMatchObject({
      kind: 'provider_failed',
      message: expect.stringContaining(`holds an event larger than ${MIB} bytes`),
    });
    await closed.promise;
  });

  it.each(NAMES)('%s: bytes outside an event are ignored', async (name) => {
    const format: TextVendorFormat = TEXT_VENDORS[name];
    const turn = { text: ['one'], finish: format.stop, usage: format.usage };
    const isFramed = !format.contentType.includes('event-stream');
    vendor.reply((response) => {
      response.writeHead(200, { 'content-type': format.contentType });
      if (!isFramed) response.write(Buffer.concat([Buffer.from(': '), Buffer.alloc(4 * MIB, 'x'), Buffer.from('\n')]));
      for (const event of format.events(turn)) response.write(event);
      response.end();
    });
    const response = await vendor.text.converse(aTextCall(format, aConversation(), { streamed: true }));
    expect(await deltasOf(response)).toContainEqual({ type: 'text', text: 'one' });
  });

  it('a compressed stream is refused', async () => {
    vendor.reply((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' }).end('x');
    });
    await expect(vendor.text.converse(aTextCall(mistral, aConversation(), { streamed: true }))).rejects.toMatchObject({
      kind: 'provider_failed',
      message: expect.stringContaining('gzip'),
    });
  });

  it('a stream that pauses too long ends in a timeout', async () => {
    const slow = await startScriptedTextVendor(300);
    const responded = Promise.withResolvers<ServerResponse>();
    slow.reply((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const event of cohere.events({ text: ['a', 'b'], finish: 'COMPLETE', usage: cohere.usage }).slice(0, 3))
        response.write(event);
      responded.resolve(response);
    });
    const call = slow.text.converse(aTextCall(cohere, aConversation(), { streamed: true }));
    await expect(call.then(deltasOf)).rejects.toMatchObject({ kind: 'provider_timeout' });
    const response = await responded.promise;
    if (!response.closed) await once(response, 'close');
    await slow.close();
  });
});
