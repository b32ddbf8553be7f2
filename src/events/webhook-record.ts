/** The formats of messages to chats. The address of such a webhook is a credential. */
const CHAT_FORMATS = ['slack', 'discord', 'teams'] as const;

export type ChatFormat = (typeof CHAT_FORMATS)[number];

/** The format in which events are sent: Standard Webhooks, OTLP logs over HTTP, or alerts to people. */
export type WebhookFormat = 'standard' | 'otlp' | ChatFormat | 'email';

export const isChat = (format: WebhookFormat): format is ChatFormat =>
  (CHAT_FORMATS as readonly WebhookFormat[]).includes(format);

export const isForPeople = (format: WebhookFormat): boolean => format === 'email' || isChat(format);

/** Precedes the address in the `url` of a webhook of the format `email`. */
export const MAILTO = 'mailto:';

/** A webhook without its secrets. */
export interface Webhook {
  readonly id: string;
  /** For e-mail: MAILTO and the address. For a chat: only the origin and the last characters. */
  readonly url: string;
  readonly format: WebhookFormat;
  readonly events: readonly string[];
  readonly disabledAt: Date | null;
  /** `service`: no delivery succeeded for three days. */
  readonly disabledBy: 'owner' | 'service' | null;
  readonly createdAt: Date;
  readonly updatedAt: Date | null;
}

/** A delivery of one event to one webhook, as shown in the log, without a body. */
export interface Delivery {
  readonly id: string;
  readonly eventId: string;
  readonly type: string;
  readonly state: 'pending' | 'delivered' | 'failed';
  readonly attempts: number;
  /** The status of the last response; null = no response. */
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly createdAt: Date;
  readonly lastAttemptAt: Date | null;
  /** Null if there is no further attempt, or if an attempt is due now, as for a new or a resent delivery. */
  readonly nextAttemptAt: Date | null;
}

export const WEBHOOK_COLUMNS = `w.id, w.url, w.format, w.events, w.disabled_at as "disabledAt",
  w.disabled_by as "disabledBy", w.created_at as "createdAt", w.updated_at as "updatedAt"`;

/** Columns of a delivery `d` and its event `e`. */
export const DELIVERY_COLUMNS = `d.id, d.event_id as "eventId", e.type, d.state, d.attempts,
  d.last_status as "lastStatus", d.last_error as "lastError", d.created_at as "createdAt",
  d.last_attempt_at as "lastAttemptAt", nullif(d.next_at, '-infinity') as "nextAttemptAt"`;

const SHOWN_CHARACTERS = 4;

export type SealedMember = 'secret' | 'headers' | 'url';

/** The binding of a sealed member of a webhook. */
export const bindingOfWebhook = (id: string, member: SealedMember): string => `webhook:${id}:${member}`;

/** The public id of an event, the same for all attempts and receivers. */
export const wireEventId = (id: string): string => `evt_${id}`;

/** The address of a webhook in responses. The address of a chat is shortened, because it allows posting to the chat. */
export function shownUrl(format: WebhookFormat, url: string): string {
  return isChat(format) ? `${new URL(url).origin}/…${url.slice(-SHOWN_CHARACTERS)}` : url;
}
