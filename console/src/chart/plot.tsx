import 'uplot/dist/uPlot.min.css';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import UPlot from 'uplot';
import type { ChartProps } from './chart';
import { HEIGHT_PX, plotOptions, stacked } from './plot-options';
import { Readout } from './readout';

export default function Plot(props: ChartProps & { readonly isDark: boolean }): ReactNode {
  const { times, series, kind, isDark, isRunning, onChoose } = props;
  const target = useRef<HTMLDivElement>(null);
  const { ref, width } = useElementSize();
  const [pointed, setPointed] = useState<number | null>(null);
  const data = useMemo(
    () => [times, ...(kind === 'bars' ? stacked(series) : series.map(({ values }) => values))] as UPlot.AlignedData,
    [times, series, kind],
  );
  useEffect(() => {
    if (width === 0) return undefined;
    const plot = new UPlot(plotOptions({ props, isDark, width, onPoint: setPointed }), data, target.current!);
    return () => plot.destroy();
    // Not `props`: the formatting function is another at each rendering, and formats as before.
  }, [data, width, isDark, isRunning]);
  const choose = (): void => {
    if (pointed !== null && times[pointed] !== undefined) onChoose?.(times[pointed]);
  };
  return (
    <div ref={ref} style={{ minHeight: HEIGHT_PX, position: 'relative' }}>
      {/* The pages that take a click have the same choice in a table or a link. */}
      <div ref={target} onClick={choose} className={onChoose ? 'chosen-by-click' : undefined} aria-hidden />
      {pointed !== null && times[pointed] !== undefined && <Readout {...props} index={pointed} />}
    </div>
  );
}
