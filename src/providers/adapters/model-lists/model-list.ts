import { GatewayError, reasonOf } from '../../../kernel/errors/errors.js';
import { membersOf, type Members } from '../../../formats/members.js';

/** A model in a server's list. */
export interface ServerModel {
  /** The server's own name of the model. */
  readonly name: string;
  readonly capability: 'chat' | 'embeddings';
  /** In tokens. Absent = not stated. */
  readonly context?: number;
  readonly input: readonly string[];
  /** Names of request parameters. */
  readonly supports: readonly string[];
}

export interface ModelListSource {
  /** Without a trailing slash, such as `http://127.0.0.1:8000/v1`. */
  readonly baseUrl: string;
  readonly fetch: typeof globalThis.fetch;
  readonly onProgress: (done: number, total: number) => void;
}

export const MAX_MODELS = 2000;
const MAX_NAME_CHARACTERS = 300;
const CONTEXT_MEMBERS = ['max_model_len', 'max_context_length', 'context_length', 'context_window', 'n_ctx'];
const GENERAL = [
  'frequency_penalty',
  'max_tokens',
  'presence_penalty',
  'response_format',
  'seed',
  'stop',
  'structured_outputs',
  'temperature',
  'top_p',
];
export const TOOLS = ['tool_choice', 'tools'];

/**
 * Reads the list `{data: [{id, …}]}` from `path` on the server, because it has more details than `GET {base}/models`.
 * Reads `GET {base}/models` if there is no `path` or the request for it fails.
 */
export async function compatibleModels(source: ModelListSource, path?: string): Promise<ServerModel[]> {
  const richer =
    path === undefined ? undefined : await jsonOf(source, new URL(source.baseUrl).origin + path).catch(() => undefined);
  const list = richer ?? (await jsonOf(source, `${source.baseUrl}/models`));
  return listIn(list, 'data', source).flatMap((entry) => {
    const name = nameOf(entry.id);
    return name === undefined ? [] : [serverModel(name, entry)];
  });
}

function serverModel(name: string, entry: Members): ServerModel {
  const meta = membersOf(entry.meta);
  const type = typeof entry.type === 'string' ? entry.type : '';
  return toServerModel(name, {
    context: contextOf(entry) ?? contextOf(meta) ?? countIn(meta.n_ctx_train),
    isEmbedding: /^embeddings?$/.test(type) || /(^|[^a-z])embed(ding)?s?([^a-z]|$)/i.test(name),
    hasVision: type === 'vlm',
    supports: TOOLS,
  });
}

export function toServerModel(
  name: string,
  facts: {
    readonly context: number | undefined;
    readonly isEmbedding: boolean;
    readonly hasVision: boolean;
    readonly supports: readonly string[];
  },
): ServerModel {
  const { context, isEmbedding, hasVision, supports } = facts;
  return {
    name,
    capability: isEmbedding ? 'embeddings' : 'chat',
    ...(context === undefined ? {} : { context }),
    input: hasVision && !isEmbedding ? ['text', 'image'] : ['text'],
    supports: isEmbedding ? [] : [...GENERAL, ...supports].toSorted(),
  };
}

/**
 * The entries of a list. An entry that is not an object is replaced by an empty object. Throws GatewayError if there is
 * no list or the list is too long.
 */
export function listIn(value: unknown, member: string, { baseUrl }: ModelListSource): Members[] {
  const list = membersOf(value)[member];
  if (!Array.isArray(list))
    throw new GatewayError('provider_failed', `The server at ${baseUrl} returned no list of models in "${member}"`);
  if (list.length > MAX_MODELS)
    throw new GatewayError('provider_failed', `The server at ${baseUrl} lists more than ${MAX_MODELS} models`);
  return list.map(membersOf);
}

/** Requests a URL and parses the JSON response. Throws GatewayError with the address and the error. */
export async function jsonOf(source: ModelListSource, url: string, body?: object): Promise<unknown> {
  const failed = (what: string, cause?: unknown): GatewayError =>
    new GatewayError('provider_failed', `${url} ${what}`, { cause });
  const response = await source
    .fetch(url, {
      headers: { accept: 'application/json', ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    })
    .catch((error: unknown) => {
      throw failed(`cannot be reached: ${rootReason(error)}`, error);
    });
  if (!response.ok) throw failed(`returned status ${response.status}`);
  try {
    return await response.json();
  } catch (error) {
    throw failed('returned no JSON', error);
  }
}

/** A name that is printable and storable; undefined for anything else. */
export const nameOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' && value.length <= MAX_NAME_CHARACTERS && !/\p{C}/u.test(value)
    ? value
    : undefined;

export const countIn = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;

const contextOf = (members: Members): number | undefined =>
  CONTEXT_MEMBERS.map((name) => countIn(members[name])).find((context) => context !== undefined);

/** The code or message of the innermost cause, because the error of `fetch` has no details. */
function rootReason(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  if (cause instanceof Error) return rootReason(cause);
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : reasonOf(error);
}
