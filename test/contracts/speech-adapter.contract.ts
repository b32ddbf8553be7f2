import { GatewayError } from '../../src/kernel/errors/errors.js';
import type { ReportedUsage } from '../../src/providers/ports/endpoint-call.js';
import type { SpeechAdapter, SpeechCall, SpeechResponse } from '../../src/providers/ports/speech-adapter.port.js';
import { eventually } from '../support/eventually.js';
import { collect } from '../support/money/speech-measures.js';
import { adapterContract, callMembers, type AdapterUnderTest } from './adapter.contract.js';

export interface SpeechAdapterUnderTest extends AdapterUnderTest<SpeechAdapter, SpeechCall> {
  /** The audio of the vendor's successful response. */
  readonly audio?: Buffer;
  /** The usage that the vendor reports on request. */
  readonly usage?: ReportedUsage;
}

/**
 * The rules for every adapter of speech. `streams`: the audio arrives in pieces, as the vendor sends them. `events`:
 * the adapter requests a stream of events if the call needs the usage.
 */
export function speechAdapterContract(
  subject: () => SpeechAdapterUnderTest,
  has: { readonly vendor: boolean; readonly streams: boolean; readonly events: boolean },
): void {
  const speak = (over: Partial<SpeechCall> = {}): Promise<SpeechResponse> => {
    const { adapter, call } = subject();
    return adapter.speak(
      Object.freeze({ ...callMembers(), input: 'Hello. Good day.', voice: 'alloy', format: 'pcm', ...call, ...over }),
    );
  };
  const audioOf = async (over?: Partial<SpeechCall>): Promise<Buffer> => collect((await speak(over)).audio);
  const slowly = (): void => subject().vendor?.script({ kind: 'slow', pauseMs: 30 });

  describe.each<readonly [string, Partial<SpeechCall>]>([
    ['audio', {}],
    ...(has.events ? [['audio in events', { needsUsage: true, format: 'mp3' }] as const] : []),
  ])('%s', (_, members) => {
    adapterContract(() => ({ ...subject(), run: (over) => audioOf({ ...members, ...over }) }), has.vendor);

    it('yields its bytes in order and no empty piece, and is complete only if nothing follows', async () => {
      slowly();
      const { audio, isComplete, usage } = await speak(members);
      const pieces: Uint8Array[] = [];
      const known: boolean[] = [];
      for await (const piece of audio) {
        pieces.push(piece);
        known.push(isComplete?.() === true);
      }
      expect(pieces.map(({ length }) => length > 0)).toEqual(pieces.map(() => true));
      expect(pieces.length).toBeGreaterThan(has.streams ? 1 : 0);
      expect(known.slice(0, -1)).toEqual(pieces.slice(1).map(() => false));
      expect(isComplete?.()).not.toBe(false);
      const whole = Buffer.concat(pieces);
      expect(whole.equals(subject().audio ?? (await audioOf(members)))).toBe(true);
      expect(usage()).toEqual(members.needsUsage ? subject().usage : undefined);
    });

    if (!has.streams) return;

    it('throws the reason of a signal that aborts between two pieces', async () => {
      slowly();
      const [caller, reason] = [new AbortController(), new GatewayError('deadline_exceeded', 'Too late')];
      const { audio } = await speak({ ...members, signal: caller.signal });
      const reading = (async () => {
        for await (const _piece of audio) caller.abort(reason);
      })();
      await expect(reading).rejects.toBe(reason);
      await audioOf(members);
    });

    it('stops its work when its reader stops reading, and serves the next call', async () => {
      slowly();
      const { audio } = await speak(members);
      for await (const _piece of audio) break;
      const { vendor } = subject();
      if (vendor) await eventually(async () => expect(vendor.seen().at(-1)!.abortedAt).toEqual(expect.any(Number)));
      await audioOf(members);
    });
  });

  it('consists of whole 16-bit samples as PCM', async () => {
    expect((await audioOf()).length % 2).toBe(0);
  });

  if (has.vendor) return;

  it("throws invalid_request for the caller's mistake", async () => {
    await expect(speak({ voice: 'nobody' })).rejects.toMatchObject({ kind: 'invalid_request' });
  });
}
