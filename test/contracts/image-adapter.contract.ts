import { GatewayError } from '../../src/kernel/errors/errors.js';
import type { ReportedUsage } from '../../src/providers/ports/endpoint-call.js';
import {
  type Base64Text,
  type ImageAdapter,
  type ImageCall,
  type ImagePreview,
  type ImageResponse,
} from '../../src/providers/ports/image-adapter.port.js';
import { imageTypeOf } from '../../src/formats/media/image-type.js';
import { PIXEL } from '../support/vendors/scripted-vendor.js';
import { adapterContract, callMembers, type AdapterUnderTest } from './adapter.contract.js';

export interface ImageAdapterUnderTest extends AdapterUnderTest<ImageAdapter, ImageCall> {
  /** The maximum number of pictures in a call. */
  readonly maxImages: number;
  /** The usage that the vendor reports with a response. */
  readonly usage?: ReportedUsage;
}

const textOf = (b64: Base64Text): string => (typeof b64 === 'string' ? b64 : Buffer.concat(b64).toString('latin1'));

/** The rules for every adapter of images. */
export function imageAdapterContract(
  subject: () => ImageAdapterUnderTest,
  has: { readonly vendor: boolean; readonly stream: boolean },
): void {
  const callOf = (over: Partial<ImageCall> = {}): ImageCall =>
    Object.freeze({
      ...callMembers(),
      prompt: 'A kite',
      n: 1,
      references: Object.freeze([]),
      ...subject().call,
      ...over,
    });
  const generate = (over?: Partial<ImageCall>): Promise<ImageResponse> => subject().adapter.generate(callOf(over));
  const expectPictures = ({ images }: ImageResponse, n: number): void => {
    expect(images).toHaveLength(n);
    for (const { b64, mediaType } of images) {
      const text = textOf(b64);
      expect(text).toMatch(/^[A-Za-z0-9+/]+={0,2}$/);
      const type = imageTypeOf(Buffer.from(text, 'base64'));
      expect(type).toEqual(expect.any(String));
      expect([type, undefined]).toContain(mediaType);
    }
  };

  describe('generate', () => {
    adapterContract(() => ({ ...subject(), run: generate }), has.vendor);

    it('returns the requested number of pictures, in base64 and with their type', async () => {
      const { maxImages } = subject();
      for (const n of new Set([1, maxImages])) expectPictures(await generate({ n }), n);
    });

    it("returns the vendor's count of tokens unchanged, and no count if the vendor sends none", async () => {
      const { usage } = await generate({ needsUsage: true });
      expect(usage).toEqual(subject().usage);
    });

    if (has.vendor)
      it.each([
        ['nothing', ''],
        ['half a document', '{"data":[{"b64_json":"QUJD"'],
        ['two documents', '{"data":[{"b64_json":"QUJD"}]}{}'],
        ['an error', '{"error":{"message":"x"}}'],
        ['an entry without a picture', '{"data":[{}]}'],
        ['a picture that is not base64 to its end', JSON.stringify({ data: [{ b64_json: `${PIXEL}"` }] })],
      ])('takes no picture from a response of %s, and does not report it as an outage', async (_, body) => {
        subject().vendor!.script({ kind: 'body', body, contentType: 'application/json' });
        const outcome = await generate().then(
          ({ images }) => images,
          (error: unknown) => error,
        );
        // An adapter may return no picture. The pipeline then refuses the response.
        if (Array.isArray(outcome)) expect(outcome).toEqual([]);
        else expect(outcome).toMatchObject({ kind: 'provider_failed', outage: false });
      });
    else
      it("throws invalid_request for the caller's mistake", async () => {
        await expect(generate({ n: 0 })).rejects.toMatchObject({ kind: 'invalid_request' });
      });
  });

  if (!has.stream) {
    it('has no stream method', () => {
      expect(subject().adapter.stream).toBeUndefined();
    });
    return;
  }

  describe('stream', () => {
    const stream = (show: (preview: ImagePreview) => Promise<void> | undefined, over?: Partial<ImageCall>) =>
      subject().adapter.stream!(callOf(over), show);
    adapterContract(() => ({ ...subject(), run: (over) => stream(() => undefined, over) }), has.vendor);

    it('passes numbered previews to the caller in order, then returns the result of generate', async () => {
      const previews: ImagePreview[] = [];
      const response = await stream((preview) => void previews.push(preview));
      const shown = previews.length;
      expect(previews.map(({ type }) => type)).toEqual(previews.map(() => 'partial'));
      expect(previews.map((preview) => 'index' in preview && preview.index)).toEqual([...previews.keys()]);
      for (const preview of previews) expect('b64' in preview && textOf(preview.b64)).toMatch(/^[A-Za-z0-9+/]+={0,2}$/);
      expectPictures(response, 1);
      const whole = await generate();
      expect([response.created, response.usage]).toEqual([whole.created, whole.usage]);
      expect(response.images.map(({ b64 }) => textOf(b64))).toEqual(whole.images.map(({ b64 }) => textOf(b64)));
      expect(shown).toBeGreaterThan(1);
      expect(previews).toHaveLength(shown);
    });

    it('waits until the caller has taken a preview before it passes on the next preview or returns', async () => {
      let taken = Promise.resolve();
      let isTaking = false;
      const overlaps: boolean[] = [];
      await stream(() => {
        overlaps.push(isTaking);
        isTaking = true;
        return (taken = new Promise((resolve) => setTimeout(resolve, 20)).then(() => void (isTaking = false)));
      });
      overlaps.push(isTaking);
      await taken;
      expect(overlaps).toEqual(overlaps.map(() => false));
    });

    it.each<[string, (failure: Error) => Promise<void>]>([
      [
        'throws',
        (failure) => {
          throw failure;
        },
      ],
      ['rejects', (failure) => Promise.reject(failure)],
    ])('ends with the error of a caller that %s, and passes on no further preview', async (_, fail) => {
      const failure = new GatewayError('caller_gone', 'The caller disconnected');
      let shown = 0;
      await expect(stream(() => (shown++, fail(failure)))).rejects.toBe(failure);
      expect(shown).toBe(1);
    });

    it('ends with the reason of a signal that aborts between two previews, without a further preview', async () => {
      const [caller, reason] = [new AbortController(), new GatewayError('deadline_exceeded', 'Too late')];
      let shown = 0;
      subject().vendor?.script({ kind: 'slow', pauseMs: 50 });
      const show = (): undefined => {
        shown++;
        caller.abort(reason);
      };
      await expect(stream(show, { signal: caller.signal })).rejects.toBe(reason);
      expect(shown).toBe(1);
    });
  });
}
