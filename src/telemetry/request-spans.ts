import { SpanKind, SpanStatusCode, type Context, type Span, type Tracer } from '@opentelemetry/api';
import { redact } from '../kernel/text/redact.js';
import type { RequestScope } from '../kernel/request-scope.js';
import type { AttemptSpan, RequestTrace, SpanAttributes, SpanEnd } from '../kernel/request-trace.js';
import { GENAI } from './genai-names.js';

interface TracedRequest {
  readonly tracer: Tracer;
  /** Context of the server span. */
  readonly context: Context;
  readonly scope: RequestScope;
  readonly recordsPrompts: boolean;
  readonly passesToVendors: boolean;
}

/**
 * Creates the client spans of a request's attempts. `end` ends the open spans, because no attempt outlives its request.
 */
export function requestTrace({
  tracer,
  context,
  scope,
  recordsPrompts,
  passesToVendors,
}: TracedRequest): Omit<RequestTrace, 'traceId'> & { readonly end: () => void } {
  const open = new Set<ClientSpan>();
  return {
    startAttempt: (name, attributes, prompt) => {
      const span = tracer.startSpan(name, { kind: SpanKind.CLIENT }, context);
      span.setAttribute('gatehouse.request_id', scope.requestId);
      setAll(span, attributes);
      const text = recordsPrompts ? prompt?.() : undefined;
      if (text !== undefined) span.setAttribute(GENAI.inputMessages, redact(text));
      if (passesToVendors) scope.vendorTraceparent = traceparentOf(span);
      const attempt = new ClientSpan(span, recordsPrompts, () => open.delete(attempt));
      open.add(attempt);
      return attempt;
    },
    end: () => {
      for (const attempt of open) attempt.end({ error: 'abandoned' });
    },
  };
}

class ClientSpan implements AttemptSpan {
  #hasEnded = false;

  constructor(
    private readonly span: Span,
    private readonly recordsOutput: boolean,
    private readonly onEnd: () => void,
  ) {}

  end({ attributes = {}, error, output }: SpanEnd): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    setAll(this.span, attributes);
    const text = this.recordsOutput && output ? output() : undefined;
    if (text !== undefined) this.span.setAttribute(GENAI.outputMessages, redact(text));
    if (error !== undefined) {
      this.span.setAttribute(GENAI.errorType, error);
      this.span.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.span.end();
    this.onEnd();
  }
}

function setAll(span: Span, attributes: SpanAttributes): void {
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined) span.setAttribute(name, typeof value === 'object' ? [...value] : value);
}

function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}
