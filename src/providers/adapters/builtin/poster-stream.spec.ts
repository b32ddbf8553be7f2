import sharp from 'sharp';
import type { ImageResponse, ImageCall, ImagePreview } from '../../ports/image-adapter.port.js';
import { anImageCall } from './image-call.fake.js';
import { PosterImageAdapter } from './poster-image.adapter.js';

const adapter = new PosterImageAdapter(1);

type Completed = { readonly type: 'completed'; readonly response: ImageResponse<string> };

/** The previews in their order, then the response. */
async function eventsOf(over: Partial<ImageCall>): Promise<(ImagePreview<string> | Completed)[]> {
  const events: (ImagePreview<string> | Completed)[] = [];
  const response = await adapter.stream(anImageCall(over), (preview) => void events.push(preview));
  return [...events, { type: 'completed', response }];
}

/** The mean difference of the colour values (0 to 255) of two pictures, which are resized to 64 × 64 pixels. */
async function distance(one: string, other: string): Promise<number> {
  const [a, b] = await Promise.all(
    [one, other].map((b64) => sharp(Buffer.from(b64, 'base64')).removeAlpha().resize(64, 64).raw().toBuffer()),
  );
  return a!.reduce((sum, value, at) => sum + Math.abs(value - b![at]!), 0) / a!.length;
}

describe('the built-in poster, streamed', () => {
  it('sends three previews with increasing detail, then the same picture as generate', async () => {
    const events = await eventsOf({ width: 600, height: 600 });
    const partials = events.filter((e) => e.type === 'partial');
    const { response } = events.find((e) => e.type === 'completed')!;
    const left = await Promise.all(partials.map((e) => distance(e.b64, response.images[0]!.b64)));
    const sides = await Promise.all(
      partials.map(async (e) => (await sharp(Buffer.from(e.b64, 'base64')).metadata()).width),
    );

    expect(events.map((e) => e.type)).toEqual(['partial', 'partial', 'partial', 'completed']);
    expect(partials.map((e) => e.index)).toEqual([0, 1, 2]);
    expect(sides).toEqual([256, 384, 512]);
    expect(left).toEqual(left.toSorted((a, b) => b - a));
    expect(left[0]).toBeGreaterThan(2 * left[1]!);
    expect(events.at(-1)).toEqual({
      type: 'completed',
      response: await adapter.generate(anImageCall({ width: 600, height: 600 })),
    });
  });

  it('numbers the previews of several pictures consecutively and completes once', async () => {
    const events = await eventsOf({ n: 2, format: 'webp', background: 'transparent' });

    expect(events.flatMap((e) => (e.type === 'partial' ? [e.index] : []))).toEqual([0, 1, 2, 3, 4, 5]);
    expect(events.filter((e) => e.type === 'completed')).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ type: 'completed', response: { images: [{}, {}] } });
  });

  it('sends svg as pieces of markup that together are the picture', async () => {
    const events = await eventsOf({ format: 'svg' });
    const markup = events.flatMap((e) => (e.type === 'text_chunk' ? [e.text] : []));
    const completed = events.at(-1);

    expect(markup.length).toBeGreaterThan(1);
    expect(completed).toEqual({
      type: 'completed',
      response: {
        images: [{ b64: Buffer.from(markup.join(''), 'utf8').toString('base64'), mediaType: 'image/svg+xml' }],
      },
    });
    expect(events.some((e) => e.type === 'partial')).toBe(false);
  });

  it('refuses an invalid call before its first event', async () => {
    await expect(eventsOf({ width: 5000 })).rejects.toMatchObject({ kind: 'invalid_request' });
  });
});

describe('the built-in poster, streamed as svg and aborted', () => {
  it('sends no further piece', async () => {
    const gone = new AbortController();
    const seen: string[] = [];
    const work = adapter.stream(anImageCall({ format: 'svg', signal: gone.signal }), ({ type }) => {
      seen.push(type);
      gone.abort();
      return undefined;
    });

    await expect(work).rejects.toMatchObject({ kind: 'caller_gone' });
    expect(seen).toEqual(['text_chunk']);
  });
});

describe('the built-in poster, aborted', () => {
  it('does nothing for a call that is already aborted', async () => {
    await expect(adapter.generate(anImageCall({ signal: AbortSignal.abort() }))).rejects.toMatchObject({
      kind: 'caller_gone',
    });
  });

  it('stops between two pictures', async () => {
    const gone = new AbortController();
    let drawn = 0;
    // sharp emits the length of its queue when a picture enters the queue (1), and when a picture is complete (0).
    const onChange = (length: number): void => {
      if (length > 0) return;
      drawn++;
      gone.abort();
    };
    sharp.queue.on('change', onChange);
    const work = adapter
      .generate(anImageCall({ n: 10, width: 256, height: 256, signal: gone.signal }))
      .finally(() => sharp.queue.off('change', onChange));

    await expect(work).rejects.toMatchObject({ kind: 'caller_gone' });
    // A picture of an earlier test may also have been completed.
    expect(drawn).toBeLessThanOrEqual(2);
  });

  it('frees the slot of an aborted call, and removes aborted calls from the queue', async () => {
    const gone = new AbortController();
    const works = [1, 2, 3].map(() => adapter.generate(anImageCall({ signal: gone.signal, width: 800, height: 800 })));
    gone.abort();

    for (const result of await Promise.allSettled(works))
      expect(result).toMatchObject({ status: 'rejected', reason: { kind: 'caller_gone' } });
    expect((await adapter.generate(anImageCall())).images).toHaveLength(1);
  });
});
