import { usdToNano, type Nano } from '../../../src/kernel/money.js';

interface ReadSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The value as printed, because a number could lose digits. */
  readonly value: string;
}

const LINE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"(?:,|$)/y;

/** Parses a page of metrics in the same way as a scraper. Throws for an invalid line. */
export class MetricsText {
  readonly samples: readonly ReadSample[];
  /** The names in TYPE lines. */
  readonly families: readonly string[];

  constructor(readonly text: string) {
    const lines = text.split('\n').filter((line) => line !== '');
    this.samples = lines.filter((line) => !line.startsWith('#')).map(readLine);
    this.families = lines.flatMap((line) => /^# TYPE (\S+)/.exec(line)?.[1] ?? []);
  }

  /** The values of all series of a name that have these labels. */
  values(name: string, labels: Readonly<Record<string, string>> = {}): string[] {
    return this.samples
      .filter(
        (sample) =>
          sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
      )
      .map(({ value }) => value);
  }

  sum(name: string, labels: Readonly<Record<string, string>> = {}): number {
    return this.values(name, labels).reduce((total, value) => total + Number(value), 0);
  }

  /** The sum of amounts in USD, in exact nano-dollars. */
  nano(name: string, labels: Readonly<Record<string, string>> = {}): Nano {
    return this.values(name, labels).reduce((total, value) => total + usdToNano(value), 0n);
  }
}

function readLine(line: string): ReadSample {
  const match = LINE.exec(line);
  if (!match) throw new Error(`invalid line of metrics: ${line}`);
  const [, name = '', inner = '', value = ''] = match;
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < inner.length) {
    const label = LABEL.exec(inner);
    if (!label) throw new Error(`invalid labels: ${line}`);
    labels[label[1]!] = label[2]!.replace(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped));
  }
  return { name, labels, value };
}
