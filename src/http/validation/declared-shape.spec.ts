import { Transform, Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsInt, IsObject, IsString, MaxLength, ValidateNested } from 'class-validator';
import { DeclaredShape } from './declared-shape.js';
import { IsOptionalField } from './is-optional-field.decorator.js';
import { parseJsonBody } from '../body/json-body.js';
import { ForwardsOtherMembers, NoAdditionalFields, RequestValidationPipe } from './request-validation.pipe.js';

class Item {
  @IsString()
  name: string;
}

class Order {
  @IsString()
  @MaxLength(5)
  title: string;

  @IsOptionalField()
  @IsArray()
  @ArrayMaxSize(2)
  @ValidateNested({ each: true })
  @Type(() => Item)
  items?: Item[];

  @IsOptionalField()
  @IsObject()
  @ValidateNested()
  @Type(() => Item)
  main?: Item;

  @IsOptionalField()
  @IsObject()
  options?: object;
}

@NoAdditionalFields()
class StrictOrder extends Order {}

@ForwardsOtherMembers()
class OpenOrder extends Order {}

const pipe = new RequestValidationPipe();
const judged = async (body: unknown, metatype: new () => object = Order): Promise<unknown> =>
  pipe.transform(body, { type: 'body', metatype });

describe('the members of a body that its DTO declares', () => {
  it('are the only members of the instance, also in nested objects; a free-form member is unchanged', async () => {
    const options = { a: { b: [1, { c: 2 }] } };
    const made = (await judged({
      title: 'a',
      other: 1,
      items: [{ name: 'x', other: 2 }],
      main: { name: 'y', 0: 1 },
      options,
    })) as Order;
    expect(made).toEqual({ title: 'a', items: [{ name: 'x' }], main: { name: 'y' }, options });
    expect([made, made.items![0], made.main].map((each) => each!.constructor)).toEqual([Order, Item, Item]);
    expect(made.options).toBe(options);
  });

  it.each<[string, object, string]>([
    ['a member that is not declared', { title: 'a', other: 1 }, 'property other should not exist'],
    [
      'an undeclared member of an object',
      { title: 'a', main: { name: 'x', other: 1 } },
      'main: property other should not exist',
    ],
    [
      'an undeclared member of an object in a list',
      { title: 'a', items: [{ name: 'x' }, { name: 'y', other: 1 }] },
      'items[1]: property other should not exist',
    ],
    ['a name that every object inherits', { title: 'a', toString: 1 }, 'property toString should not exist'],
    ['constructor', JSON.parse('{"title":"a","constructor":{}}') as object, 'property constructor should not exist'],
  ])('are the only members that a strict DTO accepts: %s', async (_, body, message) => {
    await expect(judged(body, StrictOrder)).rejects.toThrow(message);
    await expect(judged(body)).resolves.toBeInstanceOf(Order);
  });

  it('are the only members that a strict DTO accepts, which excludes __proto__ at any depth', async () => {
    const body = await parseJsonBody(Buffer.from('{"title":"a","options":{"b":{"__proto__":{}}}}'));
    await expect(judged(body, StrictOrder)).rejects.toThrow('property __proto__ should not exist');
  });

  it.each<[string, unknown, string]>([
    ['a list in a list', { title: 'a', items: [[]] }, 'each value in items must be an object'],
    ['null in a list', { title: 'a', items: [null] }, 'each value in items must be an object'],
    ['a string in a list', { title: 'a', items: ['x'] }, 'each value in items must be an object'],
    ['an object instead of a list', { title: 'a', items: { name: 'x' } }, 'items must be an array'],
    ['a list instead of an object', { title: 'a', main: [{ name: 'x' }] }, 'main must be an object'],
    ['a number instead of an object', { title: 'a', main: 1 }, 'main must be an object'],
    ['a missing member', {}, 'title is required'],
    ['a missing member of an object', { title: 'a', main: {} }, 'main: name is required'],
    ['a missing member in a list', { title: 'a', items: [{ name: 'x' }, {}] }, 'items[1]: name is required'],
    ['null', { title: null }, 'title must be a string'],
    [
      'a list that is too long, with any elements',
      { title: 'a', items: [1, 2, 3] },
      'items must contain no more than 2 elements',
    ],
    ['a text that is too long', { title: 'abcdef' }, 'title must be shorter than or equal to 5 characters'],
    [
      'a text that is far too long, with any characters',
      { title: `a${'\u{FE0F}'.repeat(20)}` },
      'title must be shorter than or equal to 5 characters',
    ],
  ])('are refused for %s', async (_, body, message) => {
    await expect(judged(body)).rejects.toThrow(message);
  });

  it('may not contain an object of more than 16384 members; other members may, unless they are forwarded', async () => {
    const wide = `{${Array.from({ length: 16_385 }, (_, index) => `"k${index}":1`).join(',')}}`;
    const body = async (name: string, metatype = Order): Promise<unknown> =>
      judged(await parseJsonBody(Buffer.from(`{"title":"a","${name}":{"x":[${wide}]}}`)), metatype);
    await expect(body('options')).rejects.toThrow('options holds an object of more than 16384 members');
    await expect(body('other')).resolves.toEqual({ title: 'a' });
    await expect(body('other', OpenOrder)).rejects.toThrow('other holds an object of more than 16384 members');
    const root = await parseJsonBody(Buffer.from(`{"title":"a",${wide.slice(1)}`));
    await expect(judged(root)).resolves.toEqual({ title: 'a' });
    await expect(judged(root, OpenOrder)).rejects.toThrow('The request body holds an object of more than 16384');
  });

  it('are found in a body of very many members', async () => {
    const wide = await parseJsonBody(
      Buffer.from(`{"title":"a",${Array.from({ length: 100_000 }, (_, index) => `"${index}":1`).join(',')}}`),
    );
    await expect(judged(wide)).resolves.toEqual({ title: 'a' });
    await expect(judged(wide, StrictOrder)).rejects.toThrow(/property \d+ should not exist/);
    const twice = await parseJsonBody(Buffer.from(`{${'"title":"a",'.repeat(100_000)}"title":"b"}`));
    await expect(judged(twice, StrictOrder)).resolves.toEqual({ title: 'b' });
  });

  it('have unchanged values: a DTO with @Transform() is refused', () => {
    class Changed {
      @Transform(({ value }) => Number(value))
      @IsInt()
      n: number;
    }
    expect(() => new DeclaredShape(Changed)).toThrow('Changed.n is transformed');
  });
});
