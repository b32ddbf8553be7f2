/** The result of reading a stream of `/chat/completions`. */
export interface JudgedChat {
  /** The faults of the stream, one line each. */
  readonly faults: readonly string[];
  readonly text: string;
  /** The status and the message of the final error chunk. */
  readonly error?: { readonly code: number; readonly message: string };
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly usage?: any;
}

const REASONS = new Set(['stop', 'length', 'tool_calls', 'content_filter']);

/**
 * Reads a stream as strictly as the strictest client. Events are comments, or one line of data. The stream must contain
 * a role, deltas, a finish reason, the usage and `[DONE]`. An error chunk may replace the rest before `[DONE]`.
 */
export function judgeChatStream(stream: Buffer): JudgedChat {
  const faults: string[] = [];
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(stream);
  } catch {
    return { faults: ['it is not valid UTF-8'], text: '' };
  }
  const events = text.split('\n\n');
  if (events.pop() !== '') faults.push('its last event is incomplete');
  const data = events.filter((event) => !event.startsWith(':'));
  for (const event of data) if (!/^data: [^\r\n]+$/.test(event)) faults.push(`not an event: ${event.slice(0, 80)}`);
  if (data.pop() !== 'data: [DONE]') faults.push('it does not end with [DONE]');
  // oxlint-disable-next-line typescript/no-explicit-any
  const chunks: any[] = [];
  for (const event of data)
    try {
      chunks.push(JSON.parse(event.slice('data: '.length)));
    } catch {
      faults.push(`not JSON: ${event.slice(0, 80)}`);
    }
  faults.push(...chunks.flatMap(chunkFaults));
  const last = chunks.at(-1);
  const errors = chunks.filter(({ error }) => error !== undefined);
  const choices = chunks.flatMap((chunk) => (chunk.error ? [] : (chunk.choices ?? [])));
  const finishes = choices.filter(({ finish_reason: reason }) => reason !== null);
  if (errors.length > 0) {
    if (errors.length > 1 || last !== errors[0]) faults.push('something follows its error');
  } else {
    if (last?.usage === undefined || last.choices?.length !== 0) faults.push('its last chunk is not the usage');
    if (chunks.filter(({ usage }) => usage !== undefined).length !== 1) faults.push('its usage is not sent once');
    if (finishes.length === 0) faults.push('no choice has a finish reason');
  }
  if (choices.length > 0 && choices[0].delta?.role !== 'assistant') faults.push('its first delta has no role');
  return {
    faults,
    text: choices.map(({ delta }) => delta?.content ?? '').join(''),
    error: errors[0]?.error,
    usage: last?.usage,
  };
}

// oxlint-disable-next-line typescript/no-explicit-any
function chunkFaults(chunk: any): string[] {
  const faults: string[] = [];
  const must = (isTrue: boolean, what: string): void => void (isTrue || faults.push(`${what}: ${short(chunk)}`));
  must(typeof chunk.id === 'string' && chunk.id.startsWith('gen-'), 'a chunk without our id');
  must(chunk.object === 'chat.completion.chunk' && Number.isInteger(chunk.created), 'a chunk of another form');
  must(typeof chunk.model === 'string' && typeof chunk.provider === 'string', 'a chunk without a model');
  must(chunk.usage !== null && chunk.system_fingerprint !== null && Array.isArray(chunk.choices), 'a null in a chunk');
  if (chunk.error) {
    const { code, message, metadata } = chunk.error;
    must(Number.isInteger(code) && code >= 400 && code !== 500 && typeof message === 'string', 'an odd error');
    must(typeof metadata?.error_type === 'string', 'an error without a type');
    must(chunk.choices?.[0]?.finish_reason === 'error', 'an error without its finish');
    return faults;
  }
  for (const { index, delta, finish_reason: reason } of chunk.choices ?? []) {
    must(Number.isInteger(index) && typeof delta === 'object' && delta !== null, 'an odd choice');
    must(reason === null || REASONS.has(reason), 'an odd finish');
    must(delta?.role === undefined || delta.role === 'assistant', 'an odd role');
    must(['string', 'undefined'].includes(typeof (delta?.content ?? '')), 'an odd content');
    must(delta?.tool_calls === undefined || toolCallsAreSound(delta.tool_calls), 'odd tool calls');
  }
  return faults;
}

function toolCallsAreSound(calls: unknown): boolean {
  return (
    Array.isArray(calls) &&
    calls.every(
      ({ index, id, type, function: called }) =>
        Number.isInteger(index) &&
        [id, type, called?.name, called?.arguments].every((member) => ['string', 'undefined'].includes(typeof member)),
    )
  );
}

const short = (chunk: unknown): string => JSON.stringify(chunk).slice(0, 120);
