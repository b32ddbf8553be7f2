import type { ReactNode } from 'react';
import { ago, moment } from '../format/times';

/** The time since a moment. The title shows the moment itself. */
export function Ago({ iso }: { readonly iso: string }): ReactNode {
  return (
    <time dateTime={iso} title={moment(iso)}>
      {ago(iso)}
    </time>
  );
}
