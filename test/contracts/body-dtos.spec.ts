import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';
import { DeclaredShape } from '../../src/http/validation/declared-shape.js';
import { OPERATIONS } from '../../src/operations/operations.js';

/** RouteParamtypes.BODY */
const BODY = '3';

/** The DTOs of all bodies, from the parameters that are registered in Nest's metadata. */
function bodyDtos(): (new () => object)[] {
  const controllers = OPERATIONS.flatMap((module) => (Reflect.getMetadata('controllers', module) ?? []) as Type[]);
  const found = controllers.flatMap((controller) =>
    Object.getOwnPropertyNames(controller.prototype).flatMap((method) => {
      const given = (Reflect.getMetadata('__routeArguments__', controller, method) ?? {}) as Record<
        string,
        { readonly index: number }
      >;
      const types = (Reflect.getMetadata('design:paramtypes', controller.prototype as object, method) ??
        []) as (new () => object)[];
      return Object.entries(given).flatMap(([name, { index }]) => (name.split(':')[0] === BODY ? [types[index]!] : []));
    }),
  );
  return [...new Set(found)];
}

const DTOS = bodyDtos();

describe('the DTOs of bodies', () => {
  it('are found from the parameters of the controllers', () => {
    expect(DTOS.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'SpeechRequestBody',
        'ImageGenerationRequest',
        'AnalyticsQueryRequest',
        'CreateKeyRequest',
        'NoFieldsRequest',
      ]),
    );
  });

  it.each(DTOS)('do not transform values: %p', (dto) => {
    expect(() => new DeclaredShape(dto)).not.toThrow();
  });
});

describe('every list of a request', () => {
  const rules = [
    ...(
      getMetadataStorage() as unknown as {
        readonly validationMetadatas: ReadonlyMap<
          { readonly name: string },
          readonly {
            readonly propertyName: string;
            readonly name?: string;
            readonly each?: boolean;
            readonly type: string;
          }[]
        >;
      }
    ).validationMetadatas,
  ];
  const has = (
    target: number,
    property: string,
    wanted: (rule: (typeof rules)[number][1][number]) => boolean,
  ): boolean => rules[target]![1].some((rule) => rule.propertyName === property && wanted(rule));

  const lists = rules.flatMap(([{ name }, ofClass], target) =>
    [
      ...new Set(
        ofClass.filter((rule) => rule.name === 'isArray' || rule.each === true).map((rule) => rule.propertyName),
      ),
    ].map((property) => [`${name}.${property}`, target, property] as const),
  );

  it('is found from the rules of class-validator', () => {
    expect(lists.map(([name]) => name)).toEqual(
      expect.arrayContaining([
        'AnalyticsQueryRequest.metrics',
        'CopySecretsRequest.names',
        'ImageGenerationRequest.input_references',
      ]),
    );
  });

  it.each(lists)('has a maximum length, which is checked before its elements: %s', (_, target, property) => {
    expect(has(target, property, (rule) => rule.name === 'isArray')).toBe(true);
    expect(has(target, property, (rule) => rule.name === 'arrayMaxSize' && rule.each !== true)).toBe(true);
  });
});
