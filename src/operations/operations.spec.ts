import type { Type } from '@nestjs/common';
import { FAST_PATH_METADATA } from '../http/edge/fast-path.decorator.js';
import { INFERENCE_OPERATIONS, OPERATIONS } from './operations.js';

const hasFastPath = (module: Type): boolean =>
  ((Reflect.getMetadata('controllers', module) as Type[] | undefined) ?? []).some(({ prototype }) =>
    Object.values(Object.getOwnPropertyDescriptors(prototype)).some(
      ({ value }) => typeof value === 'function' && Reflect.hasMetadata(FAST_PATH_METADATA, value),
    ),
  );

it('the groups with a fast path are the groups that workers serve', () => {
  const named = (groups: readonly Type[]): string[] => groups.map(({ name }) => name);
  expect(named(OPERATIONS.filter(hasFastPath))).toEqual(named(INFERENCE_OPERATIONS));
});
