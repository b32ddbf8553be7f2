import type { CatalogueEndpoint } from '../catalogue/catalogue-model.js';
import { imageQuantities, maxImageTokens } from './capabilities/image.js';
import type { AdaptedImageRequest } from './capabilities/image-request.js';
import { maxSpeechTokens, speechQuantities } from './capabilities/speech.js';

const endpoint = (maxTokens: CatalogueEndpoint['maxTokens']): CatalogueEndpoint => ({ maxTokens }) as CatalogueEndpoint;
const IMAGES = endpoint({
  perReference: 1200,
  perImage: { low: { '1024x1024': 272, '1024x1536': 408 }, high: { '1024x1024': 4160, '1024x1536': 6240 } },
  previews: 300,
});
const request = (fields: Partial<AdaptedImageRequest>): AdaptedImageRequest => ({
  prompt: 'äb',
  n: 1,
  references: [],
  ...fields,
});
const tokens = (quantities: ReturnType<typeof imageQuantities>): Record<string, number> =>
  Object.fromEntries(
    quantities.filter(({ unit }) => unit === 'token').map(({ billable, amount }) => [billable, amount]),
  );

describe('the maximum tokens of an image whose price is per token', () => {
  it.each<[string, Partial<AdaptedImageRequest>, boolean, number]>([
    ['the requested quality and size', { quality: 'low', width: 1024, height: 1024 }, false, 272],
    ['the most expensive size if the vendor chooses the size', { quality: 'low' }, false, 408],
    [
      'the most expensive quality if the vendor chooses the quality',
      { quality: 'auto', width: 1024, height: 1024 },
      false,
      4160,
    ],
    ['the most expensive quality and size if the vendor chooses both', {}, false, 6240],
    ['all requested images', { quality: 'high', n: 3 }, false, 18_720],
    ['the image and its previews in a stream', { quality: 'low', width: 1024, height: 1024 }, true, 572],
  ])('are the tokens of %s', (_, fields, streamed, most) => {
    expect(maxImageTokens(request(fields), IMAGES, streamed).completion).toBe(most);
  });

  it('include a token for every byte of the prompt, 64 more, and the maximum for every reference image', () => {
    const reference = { bytes: new Uint8Array(1), mediaType: 'image/png' };
    const fitted = request({ references: [reference, reference] });
    expect(tokens(imageQuantities(fitted, 1, maxImageTokens(fitted, IMAGES, false)))).toMatchObject({
      input_text: 3 + 64,
      input_image: 2400,
    });
  });
});

describe('the billed tokens of an image', () => {
  it.each([
    [{ prompt: 50, promptImage: 40, completion: 272 }, 0, { input_text: 10, input_image: 40, output_image: 272 }],
    [{ prompt: 50, completion: 272 }, 0, { input_text: 50, input_image: 0, output_image: 272 }],
    [{ prompt: 50, completion: 272 }, 1, { input_text: 0, input_image: 50, output_image: 272 }],
    [{ prompt: 50, promptImage: 60, completion: 1 }, 0, { input_text: 0, input_image: 50, output_image: 1 }],
    [{ prompt: 0, completion: 0 }, 1, { input_text: 0, input_image: 0, output_image: 0 }],
  ])('are derived from the usage %j of a call with %i references', (usage, references, billed) => {
    const fitted = request({
      references: Array.from({ length: references }, () => ({ bytes: new Uint8Array(1), mediaType: 'image/png' })),
    });
    expect(tokens(imageQuantities(fitted, 1, usage))).toEqual(billed);
  });
});

describe('the tokens of speech', () => {
  const SPEECH = endpoint({ output: 1000, outputBase: 600, outputPerCharacter: 6 });
  it.each([
    [10, 660],
    [100, 1000],
  ])('of the output for %i characters are at most %i', (characters, most) => {
    expect(tokens(speechQuantities(characters, maxSpeechTokens('x'.repeat(characters), characters, SPEECH)))).toEqual({
      input_text: characters + 64,
      output_audio: most,
    });
  });

  it('are the maximum before the call, and the tokens that the vendor counted after it', () => {
    expect(tokens(speechQuantities(1, { prompt: 3, completion: 20 }))).toEqual({ input_text: 3, output_audio: 20 });
    expect(tokens(speechQuantities(1, maxSpeechTokens('x', 1, SPEECH)))).toEqual({ input_text: 65, output_audio: 606 });
  });
});
