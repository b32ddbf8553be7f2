import { readImageEvent, type VendorImageEvent } from './image-event.js';

const EVENT = {
  type: 'image_generation.partial_image',
  b64_json: 'QUJD',
  partial_image_index: 2,
  created_at: 1_790_000_000,
  output_format: 'png',
  size: '1024x1024',
};
const read = (text: string): Omit<VendorImageEvent, 'b64'> & { b64: string | undefined } => {
  const event = readImageEvent(Buffer.from(text));
  return { ...event, b64: event.b64?.toString() };
};

describe('an event of an image stream', () => {
  it.each([
    ['a preview', EVENT],
    [
      'a completed picture with its usage',
      { ...EVENT, type: 'image_generation.completed', usage: { input_tokens: 1, output_tokens: 2 } },
    ],
    ['an error', { ...EVENT, error: { message: 'no' } }],
    ['no error', { ...EVENT, error: null }],
    ['few members', { type: 'x', b64_json: '' }],
    ['an invalid index and time', { ...EVENT, partial_image_index: -1, created_at: 1.5 }],
    ['numbers as texts', { ...EVENT, partial_image_index: '3', created_at: '5' }],
    ['the older name of the time', { ...EVENT, created_at: undefined, created: 7 }],
    ['a picture only in a nested object', { type: 'x', data: { b64_json: 'QUJD' } }],
    ['a picture in the event and in a nested object', { type: 'x', data: { b64_json: 'WFla' }, b64_json: 'QUJD' }],
    ['words beyond ASCII', { ...EVENT, note: 'größer “’' }],
    ['other members that are long', { ...EVENT, note: 'x'.repeat(5_000) }],
  ])('is read the same by the fast path (without spaces) and the slow path (with spaces): %s', (_, event) => {
    const tight = JSON.stringify(event);
    const loose = tight.replaceAll('"b64_json":', '"b64_json" : ');

    expect(read(tight)).toEqual(read(loose));
    expect(read(tight).b64).toBe((event as { b64_json?: string }).b64_json);
  });

  it('keeps the encoded picture unchanged, also its escapes', () => {
    expect(read(String.raw`{"type":"x","b64_json":"QU\/D","note":"\"b64_json\":\"no"}`).b64).toBe(String.raw`QU\/D`);
  });

  it.each([
    '',
    '{',
    '{"b64_json":"QUJD"',
    '{"b64_json":"QUJD"}}',
    '{"type":x,"b64_json":"QUJD"}',
    '["b64_json":"QUJD"]',
    '{"b64_json":"QU',
  ])('is refused if it is invalid: %j', (text) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ kind: 'provider_failed' }) as Error);
  });
});
