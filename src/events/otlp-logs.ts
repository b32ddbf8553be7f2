import { VERSION } from '../config/version.js';
import type { DueDelivery } from './delivery-queue.js';

type Attribute = { readonly key: string; readonly value: Readonly<Record<string, unknown>> };

/** Attribute names of the GenAI conventions for members of an exported record. Other members keep their names. */
const NAMES: Readonly<Record<string, string>> = {
  id: 'gatehouse.generation.id',
  model: 'gen_ai.request.model',
  provider: 'gen_ai.provider.name',
  modality: 'gen_ai.operation.name',
  tokens_prompt: 'gen_ai.usage.input_tokens',
  tokens_completion: 'gen_ai.usage.output_tokens',
  session_id: 'gen_ai.conversation.id',
  input_messages: 'gen_ai.input.messages',
  output_messages: 'gen_ai.output.messages',
};

/** An event as OTLP logs in JSON: one log record, or one for each record of a batch. */
export function otlpLogs({ type, data, eventAt }: Pick<DueDelivery, 'type' | 'data' | 'eventAt'>): string {
  const batch = data['generations'];
  const items = (Array.isArray(batch) ? batch : [data]) as Readonly<Record<string, unknown>>[];
  const logRecords = items.map((item) => ({
    timeUnixNano: nanosOf(typeof item['created_at'] === 'string' ? new Date(item['created_at']) : eventAt),
    observedTimeUnixNano: nanosOf(eventAt),
    severityNumber: 9,
    severityText: 'INFO',
    eventName: `gatehouse.${type}`,
    attributes: Object.entries(item).flatMap(([key, value]) => attributesOf(NAMES[key] ?? `gatehouse.${key}`, value)),
  }));
  const resource = { attributes: attributesOf('service.name', 'gatehouse') };
  const scope = { name: 'gatehouse', version: VERSION };
  return JSON.stringify({ resourceLogs: [{ resource, scopeLogs: [{ scope, logRecords }] }] });
}

const nanosOf = (time: Date): string => `${time.getTime()}000000`;

function attributesOf(key: string, value: unknown): Attribute[] {
  switch (typeof value) {
    case 'string':
      return [{ key, value: { stringValue: value } }];
    case 'boolean':
      return [{ key, value: { boolValue: value } }];
    case 'number':
      return [{ key, value: Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value } }];
    default:
      return value === null || value === undefined ? [] : [{ key, value: { stringValue: JSON.stringify(value) } }];
  }
}
