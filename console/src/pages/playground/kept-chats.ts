import { KeptStore, type Kept } from '../../talks/kept-store';
import type { Exchange } from './exchange';
import { NO_PARAMETERS, type ParameterFields } from './parameters';
import { t } from '../../text/translate';

/** The exchanges with one model. */
export interface LaneHistory {
  readonly model: string;
  readonly exchanges: readonly Exchange[];
}

/** A conversation of the playground, with up to three models at once. */
export interface Chat {
  /** The models that are currently shown. */
  readonly models: readonly string[];
  readonly system: string;
  readonly fields: ParameterFields;
  readonly lanes: readonly LaneHistory[];
}

type KeptExchange = Omit<Exchange, 'error'> & { readonly error: string | null };

/** A conversation as it is stored. */
export type KeptChat = Omit<Chat, 'lanes'> & {
  readonly lanes: readonly { readonly model: string; readonly exchanges: readonly KeptExchange[] }[];
};

const MAX_CHARACTERS = 1_500_000;

const chats = new KeptStore<KeptChat>({
  kind: 'playground',
  maxEntries: 50,
  maxCharacters: 2_500_000,
  isEntry: ({ lanes, models }) => Array.isArray(lanes) && Array.isArray(models),
});

export const keptChats = (): Kept<KeptChat>[] => chats.all();

/** Ids of deleted conversations. A page that still shows one must not store it again. Ids are never reused. */
const forgotten = new Set<string>();

export function forgetChats(ids: readonly string[]): void {
  for (const id of ids) forgotten.add(id);
  chats.forget((id) => forgotten.has(id));
}

export function chatOf(id: string | undefined): Chat | undefined {
  const chat = id === undefined ? undefined : chats.read(id);
  if (!chat) return undefined;
  const { models, system, fields, lanes } = chat;
  const read = lanes.map(({ model, exchanges }) => ({ model, exchanges: exchanges.map(restored) }));
  return { models, system, fields: { ...NO_PARAMETERS, ...fields }, lanes: read };
}

export function keepChat(id: string, chat: Chat): void {
  const lanes = chat.lanes.filter(({ exchanges }) => exchanges.length > 0);
  if (lanes.length > 0 && !forgotten.has(id)) chats.keep(id, boundedChat({ ...chat, lanes }));
}

/** Restores an exchange. A call that was running when the page was left has ended. */
function restored({ error, ...exchange }: KeptExchange): Exchange {
  const isLeft = exchange.tookMs === null;
  const left = isLeft ? t('The page was left before the answer ended.') : null;
  const message = error ?? left;
  return { ...exchange, tookMs: exchange.tookMs ?? 0, error: message === null ? null : new Error(message) };
}

/** Reduces a conversation to the maximum size: removes files first, oldest first, and then exchanges. */
export function boundedChat(chat: Chat, maxCharacters = MAX_CHARACTERS): KeptChat {
  const lanes = chat.lanes.map(({ model, exchanges }) => ({
    model,
    exchanges: exchanges.map((each): KeptExchange => ({ ...each, error: each.error?.message ?? null })),
  }));
  let excess = JSON.stringify({ ...chat, lanes }).length - maxCharacters;
  const lengths = lanes.map(({ exchanges }) => exchanges.length);
  for (let at = 0; at < Math.max(...lengths) && excess > 0; at++) {
    for (const { exchanges } of lanes) {
      const exchange = exchanges[at];
      if (!exchange) continue;
      excess -= exchange.attachments.reduce((sum, { base64 }) => sum + (base64?.length ?? 0), 0);
      exchanges[at] = { ...exchange, attachments: exchange.attachments.map((each) => ({ ...each, base64: null })) };
    }
  }
  while (excess > 0 && lanes.some(({ exchanges }) => exchanges.length > 0))
    for (const { exchanges } of lanes) excess -= JSON.stringify(exchanges.shift() ?? '').length;
  return { ...chat, lanes };
}
