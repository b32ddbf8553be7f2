import { TraceFlags, type SpanContext } from '@opentelemetry/api';
import type { ConfigValues } from '../config/variables.js';

/** Whether a request is traced; `parent` is the caller's span. */
export type Sampling = (parent: SpanContext | undefined) => boolean;

/** A trace id is split into parts of this many digits, as in the SDK's trace-id sampler. */
const HALF_DIGITS = 8;
const MAX_HALF = 0xffff_ffff;

/**
 * Returns the sampling that OTEL_TRACES_SAMPLER names. It decides before a span is created. The SDK would create an id,
 * a context and a span before its sampler decides, but most requests of a busy service are not traced.
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
  // All services make the same decision for a trace id. A new trace will have a random id, so the decision is random.
  return (parent) => (parent ? valueOf(parent.traceId) < bound : Math.random() < share);
}

/** A number from 0 to MAX_HALF that combines the parts of a trace id. */
function valueOf(traceId: string): number {
  let value = 0;
  for (let at = 0; at < traceId.length; at += HALF_DIGITS)
    value = (value ^ parseInt(traceId.slice(at, at + HALF_DIGITS), 16)) >>> 0;
  return value;
}
