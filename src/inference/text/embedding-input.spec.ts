import { readEmbeddingInput } from './embedding-input.js';

const text = (value: string): object => ({ content: [{ type: 'text', text: value }] });
const part = (value: unknown): unknown => [{ content: [value] }];

describe('the input of an embeddings request', () => {
  it.each([
    ['a string', 'a', ['a'], true],
    ['strings', ['a', 'b'], ['a', 'b'], false],
    ['token ids', [0, 2_147_483_647], [[0, 2_147_483_647]], true],
    ['2,049 token ids', Array(2_049).fill(1), [Array(2_049).fill(1)], true],
    ['lists of token ids', [[1], [2, 3]], [[1], [2, 3]], false],
    ['2,048 strings', Array(2_048).fill('a'), Array(2_048).fill('a'), false],
    ['objects', [text('a'), text('b')], [[{ type: 'text', text: 'a' }], [{ type: 'text', text: 'b' }]], false],
  ])('is read from %s', (_, input, inputs, isSingle) => {
    expect(readEmbeddingInput(input)).toEqual({ inputs, isSingle, modalities: [] });
  });

  it('is read from media, and the kinds of the media are returned', () => {
    const content = [
      { type: 'image_url', image_url: { url: 'https://pictures.example/1.png' } },
      { type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } },
      { type: 'input_video', input_video: { data: 'AAAA' } },
      { type: 'input_file', input_file: { data: 'data:application/pdf;base64,AAAA' } },
    ];
    const { inputs, modalities } = readEmbeddingInput([{ content }]);
    expect(modalities).toEqual(['image', 'audio', 'video', 'file']);
    expect(inputs).toEqual([
      [
        { type: 'image', source: { url: 'https://pictures.example/1.png' } },
        { type: 'audio', source: { base64: 'AAAA', mediaType: 'audio/mp3' } },
        { type: 'video', source: { base64: 'AAAA', mediaType: '' } },
        { type: 'file', source: { base64: 'AAAA', mediaType: 'application/pdf' } },
      ],
    ]);
  });

  it.each([
    ['nothing', undefined, /^input must be/],
    ['null', null, /^input must be/],
    ['a number', 7, /^input must be/],
    ['an object', text('a'), /^input must be/],
    ['an empty string', '', /^input must be a string that is not empty/],
    ['an empty list', [], /^input must not be empty/],
    ['2,049 strings', Array(2_049).fill('a'), /^input must hold at most 2048/],
    ['2,049 lists', Array.from({ length: 2_049 }, () => [1]), /^input must hold at most 2048/],
    ['an empty string in a list', ['a', ''], /^input\[1\] /],
    ['an empty list of token ids', [[1], []], /^input\[1\] /],
    ['null in a list', [null], /^input\[0\] must be an object/],
    ['true in a list', [true], /^input\[0\] must be an object/],
    ['strings and token ids', ['a', 1], /^input\[1\] /],
    ['token ids and strings', [1, 'a'], /^input\[1\] must be a token id/],
    ['lists and token ids', [[1], 1], /^input\[1\] /],
    ['strings and objects', ['a', text('a')], /^input\[1\] /],
    ['objects and strings', [text('a'), 'a'], /^input\[1\] must be an object/],
    ['lists in lists', [[[1]]], /^input\[0\]\[0\] must be a token id/],
    ['a token id below zero', [-1], /^input\[0\] /],
    ['a token id with a fraction', [1, 1.5], /^input\[1\] /],
    ['a token id of 2^31', [2_147_483_648], /^input\[0\] /],
    ['a token id of 1e300', [[1], [1e300]], /^input\[1\]\[0\] /],
    ['an infinite token id', [Infinity], /^input\[0\] /],
    ['an object without content', [{}], /^input\[0\].content /],
    ['content without parts', [{ content: [] }], /^input\[0\].content /],
    ['content as text', [{ content: 'a' }], /^input\[0\].content /],
    ['a part as text', part('a'), /^input\[0\].content\[0\] must be an object/],
    ['a part without a type', part({ text: 'a' }), /^input\[0\].content\[0\].type /],
    ['a part of an unknown type', part({ type: 'constructor' }), /^input\[0\].content\[0\].type /],
    ['an empty text', part({ type: 'text', text: '' }), /^input\[0\].content\[0\].text /],
    ['a text that is a number', part({ type: 'text', text: 1 }), /^input\[0\].content\[0\].text /],
    ['a picture without a URL', part({ type: 'image_url', image_url: {} }), /image_url.url must be a string/],
    ['a picture of a local file', part({ type: 'image_url', image_url: { url: 'file:///x' } }), /image_url.url must/],
    ['sound without data', part({ type: 'input_audio', input_audio: { format: 'mp3' } }), /input_audio.data /],
    ['sound that is no base64', part({ type: 'input_audio', input_audio: { data: '!' } }), /input_audio.data /],
  ])('is refused if it is %s', (_, input, message) => {
    expect(() => readEmbeddingInput(input)).toThrow(
      expect.objectContaining({ kind: 'invalid_request', message: expect.stringMatching(message) }),
    );
  });
});
