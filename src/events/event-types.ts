/** The event types that webhooks can subscribe to. */
export const EVENT_TYPES = [
  'key.limit.threshold',
  'key.limit.raised',
  'key.limit.raise.ended',
  'credits.low',
  'key.created',
  'key.disabled',
  'endpoint.unhealthy',
  'endpoint.recovered',
  'credential.exhausted',
  'credential.refused',
  'credential.recovered',
  'intern.failed',
  'member.removed',
  'budget.refused',
  'budget.threshold',
  'budget.raised',
  'budget.raise.ended',
  'webhook.disabled',
  'generation.completed',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

/** Sent to one webhook on request. Webhooks cannot subscribe to it. */
export const TEST_EVENT = 'webhook.test';

/** The type in the body of a `generation.completed` delivery, which contains many records. */
export const BATCH_EVENT = 'generation.batch';
