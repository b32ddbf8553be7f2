import { plainToInstance, Transform } from 'class-transformer';
import { IsInt, IsString, validateSync } from 'class-validator';
import fc from 'fast-check';
import { AcceptedShape } from '../../src/http/validation/accepted-shape.js';
import { CompatibleImageRequest } from '../../src/operations/images/dto/compatible-image.request.dto.js';
import { ImageGenerationRequest } from '../../src/operations/images/dto/image-generation.request.dto.js';
import { SpeechRequestBody } from '../../src/operations/tts/dto/speech.request.dto.js';

const DTOS: readonly (new () => object)[] = [SpeechRequestBody, ImageGenerationRequest, CompatibleImageRequest];

const IMAGE = { model: 'a/b', prompt: 'x' };
const SPEECH = { model: 'a/b', input: 'x', voice: 'v' };

/** Values at and near every bound, and values of every wrong type. */
const value = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    null,
    true,
    false,
    '',
    'x',
    '🦊',
    '\ufe0f',
    'auto',
    'low',
    'hd',
    'mp3',
    'pcm',
    'png',
    'b64_json',
    '1024x1024',
    '1:1',
    'transparent',
    [],
    {},
    { a: 1 },
    [{}],
    Number.NaN,
    Infinity,
    -0,
  ),
  fc.integer({ min: -2, max: 12 }),
  fc.double({ min: -1, max: 101 }),
  fc.string({ maxLength: 300 }),
);

describe('the fast check of a request body', () => {
  it.each(DTOS)('for %p accepts nothing that class-validator refuses', (dto) => {
    const shape = AcceptedShape.of(dto)!;
    const names = Object.keys(new dto()).concat(
      'model',
      'prompt',
      'input',
      'voice',
      'n',
      'size',
      'quality',
      'speed',
      'response_format',
      'output_compression',
      'input_references',
      'stream',
      'user',
      'provider',
      'seed',
    );
    let taken = 0;
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 4 }), (fields) => {
        const body = { ...IMAGE, ...SPEECH, ...fields };
        if (!shape.instanceOf(body)) return;
        taken++;
        expect(validateSync(plainToInstance(dto, body))).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
    expect(taken).toBeGreaterThan(50);
  });

  it.each<[new () => object, object]>([
    [SpeechRequestBody, { ...SPEECH, response_format: 'mp3', speed: 1.25, provider: { only: ['x'] } }],
    [
      ImageGenerationRequest,
      {
        ...IMAGE,
        n: 2,
        size: '1024x1024',
        quality: 'high',
        output_format: 'webp',
        output_compression: 80,
        stream: true,
      },
    ],
    [
      CompatibleImageRequest,
      { ...IMAGE, n: null, size: 'auto', quality: 'hd', response_format: 'b64_json', stream: false },
    ],
  ])('for %p accepts the usual requests of clients', (dto, body) => {
    expect(AcceptedShape.of(dto)!.instanceOf({ ...body, other: 1 })).toEqual(body);
    expect(AcceptedShape.of(dto)!.instanceOf(body)).toBeInstanceOf(dto);
  });

  it('leaves nested fields and their values to class-validator', () => {
    expect(AcceptedShape.of(ImageGenerationRequest)!.instanceOf({ ...IMAGE, input_references: [] })).toBeUndefined();
  });

  it('leaves the whole body to class-validator if the class transforms a value or has no rules', () => {
    class Changed {
      @Transform(({ value }) => Number(value))
      @IsInt()
      n: number;

      @IsString()
      name: string;
    }
    expect(AcceptedShape.of(Changed)?.instanceOf({ n: 1, name: 'x' })).toBeUndefined();
    expect(AcceptedShape.of(class {})).toBeUndefined();
  });
});
