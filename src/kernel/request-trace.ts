/** Attributes of a span; undefined attributes are omitted. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** How a span ended: `error` is the kind of the failure. */
export interface SpanEnd {
  readonly attributes?: SpanAttributes;
  readonly error?: string;
  /** Returns the generated text as JSON. Called only if prompts are recorded. */
  readonly output?: false | (() => string | undefined);
}

/** One attempt of a call at a vendor. */
export interface AttemptSpan {
  /** Only the first call of `end` has an effect. */
  end(end: SpanEnd): void;
}

/** The trace of a request. Requests that are not sampled have no trace. */
export interface RequestTrace {
  readonly traceId: string;
  /** `prompt` is called only if prompts are recorded. */
  startAttempt(name: string, attributes: SpanAttributes, prompt?: () => string | undefined): AttemptSpan;
}
