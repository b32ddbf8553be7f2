import { IsInt, IsString, Max, MinLength } from 'class-validator';
import { RequestValidationPipe } from './request-validation.pipe.js';
import { IsOptionalField } from './is-optional-field.decorator.js';

class Wish {
  @IsString()
  @MinLength(1)
  name!: string;

  @IsOptionalField()
  @IsInt()
  @Max(10)
  n?: number;
}

describe('the message of a refused body', () => {
  const pipe = new RequestValidationPipe();
  it.each([
    ['a missing field', {}, 'name is required'],
    ['a field of another type', { name: 'a', n: 'many' }, 'n must be an integer number'],
    ['null', { name: 'a', n: null }, 'n must be an integer number'],
    ['a text that is too short', { name: '' }, 'name must be longer than or equal to 1 characters'],
    ['a number that is too large', { name: 'a', n: 11 }, 'n must not be greater than 10'],
  ])('names the first fault of %s, with type errors before range errors', async (_, body, message) => {
    await expect(async () => pipe.transform(body, { type: 'body', metatype: Wish })).rejects.toThrow(message);
  });
});
