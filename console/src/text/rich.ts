import { createElement, Fragment, type ReactNode } from 'react';
import { PLACEHOLDER, translationOf } from './translate';

/** A text with elements in it, such as links. */
export function rich(message: string, values: Readonly<Record<string, ReactNode>>): ReactNode {
  const parts = translationOf(message).split(PLACEHOLDER);
  return createElement(Fragment, null, ...parts.map((part, at) => (at % 2 === 0 ? part : values[part])));
}
