import type { ReactNode } from 'react';
import { ago, moment } from '../format/times';

/** How long ago it was; the title has the moment. */
export function Ago({ iso }: { readonly iso: string }): ReactNode {
  return (
    <time dateTime={iso} title={moment(iso)}>
      {ago(iso)}
    </time>
  );
}
