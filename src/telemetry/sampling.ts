import { TraceFlags, type SpanContext } from '@opentelemetry/api';
import type { ConfigValues } from '../config/variables.js';

/** Whether a request is traced; `parent` is the caller's span. */
export type Sampling = (parent: SpanContext | undefined) => boolean;

/** Digits of a trace id that a share is compared with, as the SDK's sampler by trace id does. */
const HALF_DIGITS = 8;
const MAX_HALF = 0xffff_ffff;

/**
 * The decision of OTEL_TRACES_SAMPLER. It is made before a span: most requests of a busy service are not traced, and
 * the SDK makes an id, a context and a span before its sampler decides.
 */
export function samplingOf({
  OTEL_TRACES_SAMPLER: name,
  OTEL_TRACES_SAMPLER_ARG: share = 1,
}: Pick<ConfigValues, 'OTEL_TRACES_SAMPLER' | 'OTEL_TRACES_SAMPLER_ARG'>): Sampling {
  const root = rootSampling(name, share);
  if (!name.startsWith('parentbased_')) return root;
  return (parent) => (parent ? (parent.traceFlags & TraceFlags.SAMPLED) !== 0 : root(undefined));
}

function rootSampling(name: ConfigValues['OTEL_TRACES_SAMPLER'], share: number): Sampling {
  if (name.endsWith('always_on')) return () => true;
  if (name.endsWith('always_off')) return () => false;
  const bound = share === 1 ? MAX_HALF + 1 : Math.floor(share * MAX_HALF);
  // Services that see the same trace id decide alike; a new trace has a random id.
  return (parent) => (parent ? valueOf(parent.traceId) < bound : Math.random() < share);
}

/** The parts of a trace id combined, from 0 to MAX_HALF. */
function valueOf(traceId: string): number {
  let value = 0;
  for (let at = 0; at < traceId.length; at += HALF_DIGITS)
    value = (value ^ parseInt(traceId.slice(at, at + HALF_DIGITS), 16)) >>> 0;
  return value;
}
