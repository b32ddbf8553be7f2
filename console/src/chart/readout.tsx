import type { ReactNode } from 'react';
import { bucketLabel } from '../format/times';
import { ABSENT } from '../format/amounts';
import type { ChartProps } from './chart';
import { colourOf } from './plot-options';
import { t } from '../text/translate';

const MAX_LINES = 9;

/** The values of the bucket below the pointer. */
export function Readout(props: ChartProps & { readonly index: number }): ReactNode {
  const { times, series, format, granularity, isRunning, index } = props;
  const isRight = index >= times.length / 2;
  const time = bucketLabel(new Date(times[index]! * 1_000).toISOString(), granularity);
  return (
    <div className="readout" data-side={isRight ? 'left' : 'right'}>
      <strong>
        {time}
        {isRunning && index === times.length - 1 ? `, ${t('so far')}` : ''}
      </strong>
      {series.slice(0, MAX_LINES).map((each, at) => {
        const value = each.values[index];
        return (
          <div key={each.label}>
            <span className="readout-mark" style={{ background: colourOf(each, at) }} />
            <span className="readout-name">{each.label}</span>
            <span className="numeric">{value == null ? ABSENT : format(value)}</span>
          </div>
        );
      })}
    </div>
  );
}
