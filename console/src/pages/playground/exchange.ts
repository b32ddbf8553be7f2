import { api, body, post } from '../../api/client';
import { eventsOf } from '../../api/event-stream';
import type { ShownRequest } from '../../clients/request-lines';
import { dataUrlOf, partsOf, type Attachment } from './attachments';
import type { Mode } from './playground-search';
import { t } from '../../text/translate';

export interface ToolCall {
  readonly name: string;
  /** The arguments as the model wrote them. */
  readonly arguments: string;
}

/** The price of a call on an own credential. */
export interface OwnPrice {
  /** In USD, by the prices of the catalogue. */
  readonly total: number;
  readonly provider: string | null;
}

/** One prompt and the output of a model. */
export interface Exchange {
  readonly prompt: string;
  /** Files that were sent with the prompt. */
  readonly attachments: readonly Attachment[];
  readonly text: string;
  readonly reasoning: string;
  /** Tools that the model calls, with their arguments. */
  readonly toolCalls: readonly ToolCall[];
  /** Addresses of blobs or data. */
  readonly images: readonly string[];
  readonly audio: string | null;
  /** The cost in USD of credits; null until it is known. */
  readonly cost: number | null;
  /** The amount that the provider bills to the owner of the credential; null with a credential of the platform. */
  readonly ownPrice: OwnPrice | null;
  readonly tokens: number | null;
  readonly generationId: string | null;
  readonly startedAt: number;
  readonly tookMs: number | null;
  readonly error: Error | null;
}

/** An exchange whose call has started. */
export const newExchange = (prompt: string, attachments: readonly Attachment[] = []): Exchange => ({
  prompt,
  attachments,
  text: '',
  reasoning: '',
  toolCalls: [],
  images: [],
  audio: null,
  cost: null,
  ownPrice: null,
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
  readonly attachments: readonly Attachment[];
  readonly system: string;
  readonly voice: string;
  /** Members of the request of a chat. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Earlier exchanges of a chat. */
  readonly before: readonly Exchange[];
}

/** The call whose code is shown: with the typed prompt, or otherwise the last sent one. */
export function shownCall(call: PlaygroundCall): PlaygroundCall {
  const before = call.mode === 'chat' ? call.before : [];
  if (call.prompt !== '' || call.attachments.length > 0) return { ...call, before };
  const last = before.at(-1);
  if (!last) return { ...call, prompt: 'Hello', before };
  return { ...call, prompt: last.prompt, attachments: last.attachments, before: before.slice(0, -1) };
}

type UrlOf = (attachment: Attachment) => string;

interface Message {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string | readonly object[];
}

/** A user message. Without files, its content is a string, because most programs send it in this form. */
function userMessage({ prompt, attachments }: Pick<Exchange, 'prompt' | 'attachments'>, urlOf: UrlOf): Message {
  const parts = attachments.flatMap((attachment) => partsOf(attachment, urlOf));
  const text = prompt === '' ? [] : [{ type: 'text', text: prompt }];
  return { role: 'user', content: parts.length === 0 ? prompt : [...text, ...parts] };
}

export const messagesOf = (call: PlaygroundCall, urlOf: UrlOf = dataUrlOf): Message[] => [
  ...(call.system ? [{ role: 'system' as const, content: call.system }] : []),
  ...call.before
    .filter(({ error }) => error === null)
    .flatMap((exchange): Message[] => [userMessage(exchange, urlOf), { role: 'assistant', content: exchange.text }]),
  userMessage(call, urlOf),
];

/** The path below /api/v1 and the body of a call. `urlOf`: returns the address of a file in the body. */
export function requestOf(call: PlaygroundCall, urlOf?: UrlOf): Pick<ShownRequest, 'path' | 'json'> {
  const { mode, model, prompt, voice, parameters } = call;
  if (mode === 'image') return { path: '/images', json: { model, prompt } };
  if (mode === 'speech')
    return { path: '/audio/speech', json: { model, voice, input: prompt, response_format: 'mp3' } };
  return { path: '/chat/completions', json: { model, stream: true, messages: messagesOf(call, urlOf), ...parameters } };
}

/** The files that are sent with a call, oldest first. */
export const filesOf = ({ before, attachments }: PlaygroundCall): Attachment[] =>
  [...before.filter(({ error }) => error === null).flatMap((each) => each.attachments), ...attachments].filter(
    ({ base64 }) => base64 !== null,
  );

type Change = (part: Partial<Exchange>) => void;

interface ToolCallDelta {
  readonly index: number;
  readonly function?: { readonly name?: string; readonly arguments?: string };
}

/** The tool calls with a further piece, which starts or continues one call. */
export function withPiece(calls: readonly ToolCall[], { index, function: piece }: ToolCallDelta): ToolCall[] {
  const before = calls[index] ?? { name: '', arguments: '' };
  const name = before.name + (piece?.name ?? '');
  return Object.assign([...calls], { [index]: { name, arguments: before.arguments + (piece?.arguments ?? '') } });
}

interface Usage {
  readonly cost?: number;
  readonly total_tokens?: number;
  /** Contains the price if the call used an own credential. */
  readonly cost_details?: { readonly upstream_inference_cost?: number | null };
}

function priceOf(
  { cost, total_tokens, cost_details }: Usage,
  provider: string | null,
): Pick<Exchange, 'cost' | 'tokens' | 'ownPrice'> {
  const total = cost_details?.upstream_inference_cost ?? null;
  return { cost: cost ?? null, tokens: total_tokens ?? null, ownPrice: total === null ? null : { total, provider } };
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
  readonly provider?: string;
  readonly usage?: Usage | null;
  readonly error?: { readonly message?: string };
}

/** Sends the call and reports the parts of the response as they arrive. */
export async function run(call: PlaygroundCall, change: Change, signal: AbortSignal): Promise<void> {
  const { path, json } = requestOf(call);
  const response = await post(path, json, signal);
  if (call.mode === 'chat') return readChat(response, change);
  if (call.mode === 'image') return readImages(response, change);
  const generationId = response.headers.get('x-generation-id');
  change({ audio: URL.createObjectURL(await response.blob()), generationId });
  if (generationId) change(await recordedPrice(generationId));
}

async function readChat(response: Response, change: Change): Promise<void> {
  let text = '';
  let reasoning = '';
  let toolCalls: readonly ToolCall[] = [];
  for await (const { id, choices, provider, usage, error } of eventsOf<ChatChunk>(response)) {
    if (error) throw new Error(error.message ?? t('The provider broke the response off.'));
    const delta = choices?.[0]?.delta;
    text += delta?.content ?? '';
    reasoning += delta?.reasoning ?? '';
    for (const piece of delta?.tool_calls ?? []) toolCalls = withPiece(toolCalls, piece);
    change({
      text,
      reasoning,
      toolCalls,
      ...(id ? { generationId: id } : {}),
      ...(usage ? priceOf(usage, provider ?? null) : {}),
    });
  }
}

interface ImageBody {
  readonly data: readonly { readonly b64_json: string; readonly media_type?: string }[];
  readonly usage?: Usage;
}

async function readImages(response: Response, change: Change): Promise<void> {
  const generationId = response.headers.get('x-generation-id');
  const { data, usage } = (await response.json()) as ImageBody;
  change({
    images: data.map(({ b64_json, media_type = 'image/png' }) => `data:${media_type};base64,${b64_json}`),
    ...priceOf(usage ?? {}, null),
    generationId,
  });
}

/** Speech responses have no usage; the price is read from the record of the call. */
async function recordedPrice(id: string): Promise<Pick<Exchange, 'cost' | 'ownPrice'>> {
  const { data } = await body(api.GET('/api/v1/generation', { params: { query: { id } } }));
  const { usage: cost, is_byok: isOwn, upstream_inference_cost: total, provider_name: provider } = data;
  return { cost, ownPrice: isOwn && total !== null ? { total, provider } : null };
}
