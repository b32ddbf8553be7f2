import { api, body, post } from '../../api/client';
import { eventsOf } from '../../api/event-stream';
import type { ShownRequest } from '../../clients/request-lines';
import type { Mode } from './playground-search';

export interface ToolCall {
  readonly name: string;
  /** As the model wrote them. */
  readonly arguments: string;
}

/** One prompt and what a model made of it. */
export interface Exchange {
  readonly prompt: string;
  readonly text: string;
  readonly reasoning: string;
  /** Tools that the model calls, with their arguments. */
  readonly toolCalls: readonly ToolCall[];
  /** Addresses of blobs or data. */
  readonly images: readonly string[];
  readonly audio: string | null;
  /** USD; null until it is known. */
  readonly cost: number | null;
  readonly tokens: number | null;
  readonly generationId: string | null;
  readonly startedAt: number;
  readonly tookMs: number | null;
  readonly error: Error | null;
}

/** An exchange whose call has started. */
export const newExchange = (prompt: string): Exchange => ({
  prompt,
  text: '',
  reasoning: '',
  toolCalls: [],
  images: [],
  audio: null,
  cost: null,
  tokens: null,
  generationId: null,
  startedAt: performance.now(),
  tookMs: null,
  error: null,
});

export interface PlaygroundCall {
  readonly mode: Mode;
  readonly model: string;
  readonly prompt: string;
  readonly system: string;
  readonly voice: string;
  /** Members of the request of a chat. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Earlier exchanges of a chat. */
  readonly before: readonly Exchange[];
}

/** The call whose code is shown: with the typed prompt, or else the last one that was sent. */
export function shownCall(call: PlaygroundCall): PlaygroundCall {
  const before = call.mode === 'chat' ? call.before : [];
  if (call.prompt !== '') return { ...call, before };
  const last = before.at(-1);
  return last ? { ...call, prompt: last.prompt, before: before.slice(0, -1) } : { ...call, prompt: 'Hello', before };
}

type Message = { role: 'system' | 'user' | 'assistant'; content: string };

export const messagesOf = ({ system, before, prompt }: PlaygroundCall): Message[] => [
  ...(system ? [{ role: 'system' as const, content: system }] : []),
  ...before
    .filter(({ error }) => error === null)
    .flatMap(({ prompt, text }): Message[] => [
      { role: 'user', content: prompt },
      { role: 'assistant', content: text },
    ]),
  { role: 'user', content: prompt },
];

/** The path below /api/v1 and the body of a call. */
export function requestOf(call: PlaygroundCall): Pick<ShownRequest, 'path' | 'json'> {
  const { mode, model, prompt, voice, parameters } = call;
  if (mode === 'image') return { path: '/images', json: { model, prompt } };
  if (mode === 'speech')
    return { path: '/audio/speech', json: { model, voice, input: prompt, response_format: 'mp3' } };
  return { path: '/chat/completions', json: { model, stream: true, messages: messagesOf(call), ...parameters } };
}

type Change = (part: Partial<Exchange>) => void;

interface ToolCallDelta {
  readonly index: number;
  readonly function?: { readonly name?: string; readonly arguments?: string };
}

/** The calls of tools with one more piece, which begins or continues one of them. */
export function withPiece(calls: readonly ToolCall[], { index, function: piece }: ToolCallDelta): ToolCall[] {
  const before = calls[index] ?? { name: '', arguments: '' };
  const name = before.name + (piece?.name ?? '');
  return Object.assign([...calls], { [index]: { name, arguments: before.arguments + (piece?.arguments ?? '') } });
}

interface ChatChunk {
  readonly id?: string;
  readonly choices?: readonly {
    readonly delta?: {
      readonly content?: string | null;
      readonly reasoning?: string | null;
      readonly tool_calls?: readonly ToolCallDelta[];
    };
  }[];
  readonly usage?: { readonly cost?: number; readonly total_tokens?: number } | null;
  readonly error?: { readonly message?: string };
}

/** Makes the call; reports what arrives as it arrives. */
export async function run(call: PlaygroundCall, change: Change, signal: AbortSignal): Promise<void> {
  const { path, json } = requestOf(call);
  const response = await post(path, json, signal);
  if (call.mode === 'chat') return readChat(response, change);
  if (call.mode === 'image') return readImages(response, change);
  const generationId = response.headers.get('x-generation-id');
  change({ audio: URL.createObjectURL(await response.blob()), generationId });
  if (generationId) change({ cost: await costOf(generationId) });
}

async function readChat(response: Response, change: Change): Promise<void> {
  let text = '';
  let reasoning = '';
  let toolCalls: readonly ToolCall[] = [];
  for await (const { id, choices, usage, error } of eventsOf<ChatChunk>(response)) {
    if (error) throw new Error(error.message ?? 'The provider broke the response off.');
    const delta = choices?.[0]?.delta;
    text += delta?.content ?? '';
    reasoning += delta?.reasoning ?? '';
    for (const piece of delta?.tool_calls ?? []) toolCalls = withPiece(toolCalls, piece);
    change({
      text,
      reasoning,
      toolCalls,
      ...(id ? { generationId: id } : {}),
      ...(usage ? { cost: usage.cost ?? null, tokens: usage.total_tokens ?? null } : {}),
    });
  }
}

interface ImageAnswer {
  readonly data: readonly { readonly b64_json: string; readonly media_type?: string }[];
  readonly usage?: { readonly cost?: number; readonly total_tokens?: number };
}

async function readImages(response: Response, change: Change): Promise<void> {
  const generationId = response.headers.get('x-generation-id');
  const { data, usage } = (await response.json()) as ImageAnswer;
  change({
    images: data.map(({ b64_json, media_type = 'image/png' }) => `data:${media_type};base64,${b64_json}`),
    cost: usage?.cost ?? null,
    tokens: usage?.total_tokens ?? null,
    generationId,
  });
}

/** Speech is bytes without usage; the record of the call has its price. */
async function costOf(id: string): Promise<number | null> {
  const { data } = await body(api.GET('/api/v1/generation', { params: { query: { id } } }));
  return data.usage;
}
