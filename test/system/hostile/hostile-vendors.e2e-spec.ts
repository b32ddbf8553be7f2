import { errorLines } from '../../fuzz/error-lines.js';
import { CHAT_MODELS } from '../../support/calls/chat-models.js';
import { judgeChatStream } from '../../support/calls/chat-stream-judge.js';
import { imbalances, readBooks } from '../../support/money/count-the-money.js';
import { eventually } from '../../support/eventually.js';
import { LONG_TESTS } from '../../support/long-tests.js';
import { errorOf, openHostileChatStage, type HostileChatStage } from '../../support/hostile/hostile-chat-stage.js';
import { COMPLETIONS, STREAMS } from '../../support/hostile/hostile-completions.js';
import { MESSAGES, MESSAGE_STREAMS } from '../../support/hostile/hostile-messages.js';
import { ANY_FORMAT, type HostileResponse } from '../../support/hostile/hostile-responses.js';
import { VENDOR_KEY } from '../../support/vendors/odd-chat-streams.js';
import type { ChatScript } from '../../support/vendors/scripted-chat-vendor.js';

/** `HOSTILE_ONLY='deep'` sends only the responses with this word in their names. */
const ONLY = process.env['HOSTILE_ONLY'];
const SILENCE_MS = '700';
const LINE_BYTES = 42_000_000;
/** More than one round, because the memory that remains after the first round must not grow in the next one. */
const ROUNDS = LONG_TESTS ? 3 : 2;
const MAX_GROWTH_BYTES = 64 * 1_048_576;
/** The possible statuses for a caller when a vendor fails. */
const STATUSES = [400, 413, 429, 502, 524, 529];
const { bytes, package: through } = CHAT_MODELS;

/** A package parses, validates and copies a complete response in one turn of the event loop. */
const PASSES_OF_PACKAGE = 3;

describe('a hostile response of a vendor', () => {
  let stage: HostileChatStage;
  let before = 0;
  beforeAll(async () => {
    stage = await openHostileChatStage({ UPSTREAM_TIMEOUT_MS: SILENCE_MS });
    for (const model of [bytes, through])
      for (const streamed of [false, true]) await stage.post(requestOf(model, streamed));
    before = (await stage.service.memory()).used;
  }, 120_000);
  afterAll(() => stage.close(), 60_000);

  const requestOf = (model: string, streamed: boolean): string =>
    JSON.stringify({ model, stream: streamed, messages: [{ role: 'user', content: 'Hello' }], max_tokens: 1_000 });

  async function faultsOf(
    { script, text, fails }: HostileResponse,
    model: string,
    streamed: boolean,
  ): Promise<string[]> {
    const size = (script.bytes ?? Buffer.from(JSON.stringify(script.events ?? script.body ?? ''))).length;
    const passes = model === through ? PASSES_OF_PACKAGE : 1;
    const reply = await stage.watched(requestOf(model, streamed), passes * size, () => stage.vendor.script(script));
    const faults = reply.stall === undefined ? [] : [reply.stall];
    if (reply.body.includes(VENDOR_KEY)) faults.push('the reply holds the credential');
    if (reply.status !== 200) {
      const { code, message } = errorOf(reply);
      if (code !== reply.status || !STATUSES.includes(code)) faults.push(`${reply.status}: ${message}`);
      if (text !== undefined) faults.push(`failed with ${reply.status}: ${message}`);
      return faults;
    }
    if (!/event-stream/.test(reply.headers.get('content-type')!)) {
      const { choices, usage } = JSON.parse(reply.body.toString());
      if (streamed) faults.push('no stream');
      if (choices.length === 0 || typeof usage.cost !== 'number') faults.push(`an odd completion`);
      return fails ? [...faults, 'succeeded'] : faults;
    }
    const judged = judgeChatStream(reply.body);
    faults.push(...judged.faults);
    if (text !== undefined && (judged.error || judged.text !== text))
      faults.push(`gave "${judged.text.slice(0, 80)}", ${judged.error?.message ?? 'whole'}`);
    if (fails && !judged.error) faults.push('succeeded');
    return faults;
  }

  it.each([
    ['of any format, buffered, as bytes', bytes, false, ANY_FORMAT],
    ['of any format, streamed, as bytes', bytes, true, ANY_FORMAT],
    ['of any format, buffered, through a package', through, false, ANY_FORMAT],
    ['of any format, streamed, through a package', through, true, ANY_FORMAT],
    ['buffered, as bytes', bytes, false, COMPLETIONS],
    ['streamed, as bytes', bytes, true, STREAMS],
    ['buffered, through a package', through, false, MESSAGES],
    ['streamed, through a package', through, true, MESSAGE_STREAMS],
  ] as const)(
    '%s, causes a status or an error chunk, and never a 500',
    async (_, model, streamed, responses) => {
      const faults: string[] = [];
      for (const response of responses.filter(({ name }) => ONLY === undefined || name.includes(ONLY)))
        for (const fault of await faultsOf(response, model, streamed)) faults.push(`${response.name}: ${fault}`);
      expect(faults).toEqual([]);
    },
    1_200_000,
  );

  it.each([
    ['as bytes', bytes, 'x'],
    ['as bytes, of data', bytes, 'data: x'],
    ['through a package', through, 'x'],
    ['through a package, of data', through, 'data: x'],
  ] as const)(
    'that is a line of 42 MB without an end is not kept in memory (four at once, %s)',
    async (_, model, start) => {
      const line: ChatScript = {
        bytes: Buffer.concat([Buffer.from(start), Buffer.alloc(LINE_BYTES, 'x')]),
        splitBytes: 65_536,
      };
      const level = (await stage.service.memory()).rss;
      for (let round = 0; round < ROUNDS; round++) {
        stage.vendor.script(line, line, line, line);
        const replies = await Promise.all([1, 2, 3, 4].map(() => stage.post(requestOf(model, true))));
        for (const { status, body } of replies)
          if (status === 200) expect(judgeChatStream(body).error).toBeDefined();
          else expect(status).toBe(502);
      }
      const { rss } = await stage.service.memory();
      // All lines have been relayed. The young generation alone grows by up to 100 MiB.
      expect(rss - level).toBeLessThan(4 * LINE_BYTES);
    },
    60_000,
  );

  it('leaves memory constant, the books balanced and the log without errors', async () => {
    await eventually(async () => {
      const books = await readBooks(stage.sql);
      expect([books.openReservations, ...imbalances(books)]).toEqual([0n]);
    });
    expect((await stage.service.memory()).used - before).toBeLessThan(MAX_GROWTH_BYTES);
    expect(errorLines(stage.service.output())).toEqual([]);
  }, 60_000);
});
