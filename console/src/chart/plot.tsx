import 'uplot/dist/uPlot.min.css';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useMemo, useRef, useState, type MouseEvent, type ReactNode } from 'react';
import UPlot from 'uplot';
import type { ChartProps } from './chart';
import { HEIGHT_PX, plotOptions, stacked } from './plot-options';
import { Readout } from './readout';

export default function Plot(props: ChartProps & { readonly isDark: boolean }): ReactNode {
  const { times, series, kind, isDark, isRunning, onChoose } = props;
  const target = useRef<HTMLDivElement>(null);
  const drawn = useRef<UPlot>(null);
  const { ref, width } = useElementSize();
  const [pointed, setPointed] = useState<number | null>(null);
  const data = useMemo(
    () => [times, ...(kind === 'bars' ? stacked(series) : series.map(({ values }) => values))] as UPlot.AlignedData,
    [times, series, kind],
  );
  useEffect(() => {
    if (width === 0) return undefined;
    const plot = new UPlot(plotOptions({ props, isDark, width, onPoint: setPointed }), data, target.current!);
    drawn.current = plot;
    return () => plot.destroy();
    // `props` is omitted, because its formatting function is a new object at each rendering but formats in the same
    // way.
  }, [data, width, isDark, isRunning]);
  const choose = ({ clientX }: MouseEvent): void => {
    const plot = drawn.current;
    if (!plot) return;
    const time = times[plot.posToIdx(clientX - plot.over.getBoundingClientRect().left)];
    if (time !== undefined) onChoose?.(time);
  };
  return (
    <div ref={ref} style={{ minHeight: HEIGHT_PX, position: 'relative' }}>
      {/* uPlot stops click events at its own element, so the capture phase is used. Users who cannot click can make the
          same choice in the table or in the time range. */}
      <div ref={target} onClickCapture={choose} className={onChoose ? 'chosen-by-click' : undefined} aria-hidden />
      {pointed !== null && times[pointed] !== undefined && <Readout {...props} index={pointed} />}
    </div>
  );
}
