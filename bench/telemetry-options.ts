import { readOptions } from './read-options.js';
import { SCENARIOS } from './scenarios.js';

/** The token for /metrics. */
export const TOKEN = 'token-of-the-bench';

/** A feature that only one of the two compared services enables. */
export interface Comparison {
  /** The maximum for the median ratio of CPU per request, with the feature to without it. Absent = no maximum. */
  readonly most?: number;
  /** The variables that enable the feature. `receiver`: the base URL of an OTLP receiver. */
  readonly on: (receiver: string) => readonly string[];
  readonly isScraped?: boolean;
}

export const COMPARISONS: Readonly<Record<string, Comparison>> = {
  metrics: { most: 1.03, on: () => [`METRICS_TOKEN=${TOKEN}`], isScraped: true },
  'access-log': { most: 1.05, on: () => ['LOG_LEVEL=info', 'LOG_FORMAT=json'] },
  traces: {
    most: 1.05,
    on: (receiver) => [
      `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=${receiver}/v1/traces`,
      'OTEL_TRACES_SAMPLER=parentbased_traceidratio',
      'OTEL_TRACES_SAMPLER_ARG=0.01',
    ],
  },
  // Two equal services. The difference from 0 % is the noise of the machine.
  nothing: { on: () => [] },
};

interface TelemetryOptions {
  readonly compare: readonly string[];
  readonly pairs: number;
  readonly forks: number;
  readonly seconds: number;
  readonly warmUp: number;
  readonly connections: number;
  readonly scenario: string;
}

/** Ends the program with a message if an option is invalid. */
export function readTelemetryOptions(): TelemetryOptions {
  const given = readOptions(
    'Compares the CPU per request of two services, one with metrics, the access log or traces at 1 % enabled.\n' +
      'A pair is four runs: off, on, on, off, or the reverse. Build first: npm run build.',
    {
      compare: {
        default: 'metrics,access-log,traces',
        what: `comma-separated list of: ${Object.keys(COMPARISONS).join(', ')}`,
      },
      pairs: { default: '20', what: 'interleaved pairs of a comparison' },
      forks: { default: '2', what: 'starts of both services; each start measures an equal part of the pairs' },
      seconds: { default: '1.2', what: 'length of one of the four runs of a pair' },
      'warm-up': { default: '15', what: 'seconds of load for each service before its first measured run' },
      connections: { default: '32', what: 'connections that each send the next request when the response has ended' },
      scenario: { default: 'speech-32k', what: `one of: ${SCENARIOS.map(({ name }) => name).join(', ')}` },
    },
  );
  const compare = given.compare.split(',').filter(Boolean);
  const unknown = compare.find((name) => !(name in COMPARISONS));
  if (unknown !== undefined) fail(`--compare: unknown comparison ${unknown}`);
  if (!SCENARIOS.some(({ name }) => name === given.scenario)) fail(`--scenario: unknown scenario ${given.scenario}`);
  const number = (name: keyof typeof given, isWhole: boolean): number => {
    const value = Number(given[name]);
    if (!(value > 0) || (isWhole && !Number.isInteger(value)))
      fail(`--${name} must be a ${isWhole ? 'whole ' : ''}number above 0`);
    return value;
  };
  return {
    compare,
    scenario: given.scenario,
    pairs: number('pairs', true),
    forks: number('forks', true),
    seconds: number('seconds', false),
    warmUp: number('warm-up', false),
    connections: number('connections', true),
  };
}

function fail(message: string): never {
  console.error(`${message}. --help lists the options.`);
  process.exit(1);
}
