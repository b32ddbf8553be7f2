import type { ReactNode } from 'react';
import { ago, moment } from '../format/times';

/** A past or future time relative to now, such as "3 hours ago". The title shows the date and time. */
export function Ago({ iso }: { readonly iso: string }): ReactNode {
  return (
    <time dateTime={iso} title={moment(iso)}>
      {ago(iso)}
    </time>
  );
}
