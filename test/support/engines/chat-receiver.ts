import type { ServerResponse } from 'node:http';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.js';

export type ChatService = 'slack' | 'discord' | 'teams';

type Json = Readonly<Record<string, unknown>>;

const MAX_CARD_BYTES = 28 * 1_024;

/**
 * The checks of each chat service. They refuse a body with a wrong format or beyond the limits, like the real service,
 * with the same messages.
 */
const FAULTS: Readonly<Record<ChatService, (body: Json, bytes: number) => (string | false)[]>> = {
  slack: (body) => {
    const blocks = body['blocks'] as readonly Json[];
    const texts = blocks.flatMap(({ text }) => (text ? [text as Json] : []));
    const fields = blocks.flatMap((block) => (block['fields'] ?? []) as readonly Json[]);
    const all = [String(body['text']), ...[...texts, ...fields].map(({ text }) => String(text))];
    return [
      blocks.length > 50 && 'too many blocks',
      blocks.some((block) => block['type'] !== 'section' || !(block['text'] ?? block['fields'])) && 'invalid_blocks',
      blocks.some((block) => ((block['fields'] ?? []) as unknown[]).length > 10) && 'more than 10 fields',
      [...texts, ...fields].some(({ type, verbatim }) => type !== 'mrkdwn' || verbatim !== true) && 'parses links',
      texts.some(({ text }) => size(text) < 1 || size(text) > 3_000) && 'a text of more than 3000 characters',
      fields.some(({ text }) => size(text) < 1 || size(text) > 2_000) && 'a field of more than 2000 characters',
      size(body['text']) > 40_000 && 'msg_too_long',
      // The only allowed markup in angle brackets is the link to the console.
      all.some((text) => /<(?!https?:\/\/[^|<>]+\|Open the console>)|&(?!amp;|lt;|gt;)/.test(text)) && 'unescaped text',
    ];
  },
  discord: (body) => {
    const embeds = (body['embeds'] ?? []) as readonly Json[];
    const fields = embeds.flatMap((embed) => (embed['fields'] ?? []) as readonly Json[]);
    const total = [...embeds.map(({ title }) => title), ...fields.flatMap(({ name, value }) => [name, value])];
    const mentions = body['allowed_mentions'] as Json | undefined;
    return [
      (size(body['content']) < 1 || size(body['content']) > 2_000) && 'content: BASE_TYPE_BAD_LENGTH',
      embeds.length > 10 && 'embeds: BASE_TYPE_BAD_LENGTH',
      fields.length > 25 && 'fields: BASE_TYPE_BAD_LENGTH',
      fields.some(({ name }) => size(name) < 1 || size(name) > 256) && 'name: BASE_TYPE_BAD_LENGTH',
      fields.some(({ value }) => size(value) < 1 || size(value) > 1_024) && 'value: BASE_TYPE_BAD_LENGTH',
      total.reduce((sum: number, text) => sum + size(text ?? ''), 0) > 6_000 && 'MAX_EMBED_SIZE_EXCEEDED',
      JSON.stringify(mentions) !== '{"parse":[]}' && 'mentions are parsed',
    ];
  },
  teams: (body, bytes) => {
    const [attachment] = body['attachments'] as readonly [Json];
    const card = attachment['content'] as Json;
    const elements = card['body'] as readonly Json[];
    const runs = elements.flatMap((element) => (element['inlines'] ?? []) as readonly Json[]);
    return [
      bytes > MAX_CARD_BYTES && 'RequestEntityTooLarge',
      body['type'] !== 'message' && 'not a message',
      attachment['contentType'] !== 'application/vnd.microsoft.card.adaptive' && 'not a card',
      (card['type'] !== 'AdaptiveCard' || !/^1\.[0-5]$/.test(String(card['version']))) && 'not a Teams Adaptive Card',
      elements.some(({ type }) => type !== 'RichTextBlock') && 'an element that interprets Markdown',
      runs.some((run) => run['type'] !== 'TextRun' || size(run['text']) < 1) && 'an empty run',
    ];
  },
};

const size = (text: unknown): number => (typeof text === 'string' ? [...text].length : -1);

const ACCEPTED: Readonly<Record<ChatService, readonly [status: number, body: string]>> = {
  slack: [200, 'ok'],
  discord: [204, ''],
  teams: [202, ''],
};

/** The reasons why the service would refuse a message. */
export const faultsOfMessage = (service: ChatService, body: string): string[] =>
  FAULTS[service](JSON.parse(body) as Json, Buffer.byteLength(body)).filter((fault) => fault !== false);

/** An incoming webhook of a chat service. It returns 400 for messages that the real service refuses. */
export async function startChatReceiver(service: ChatService): Promise<WebhookReceiver> {
  const receiver = await startWebhookReceiver();
  receiver.respond = (response: ServerResponse) => {
    const faults = faultsOfMessage(service, receiver.seen.at(-1)!.body);
    const [status, text] = faults.length > 0 ? [400, faults.join('; ')] : ACCEPTED[service];
    response.writeHead(status).end(text);
  };
  return receiver;
}
