import type { NormalisedChoice } from './chunk-choices.js';
import { elementsIn, hasMembers, isSet, membersOf, type Members } from '../members.js';

/** The text member that is the only content of the choice; undefined if the choice has other content. */
export function variableOf({ delta }: NormalisedChoice): 'content' | 'reasoning' | undefined {
  const { content, reasoning, reasoning_details: details, role, ...rest } = delta;
  if (role !== undefined || hasMembers(rest)) return undefined;
  if (typeof content === 'string' && content !== '') return reasoning === undefined && !details ? 'content' : undefined;
  return content === undefined && typeof reasoning === 'string' ? 'reasoning' : undefined;
}

export function withoutReasoning({ delta, ...choice }: NormalisedChoice): NormalisedChoice {
  const { reasoning: _, reasoning_details: _details, ...rest } = delta;
  return { ...choice, delta: rest };
}

/** The members of a vendor's chunk that are forwarded unchanged. */
export function restOf(body: Members): Members {
  const { system_fingerprint: fingerprint, service_tier: tier } = body;
  const rest: Record<string, unknown> = {};
  for (const name of Object.keys(body)) if (!CHANGED_MEMBERS.has(name)) rest[name] = body[name];
  if (typeof fingerprint === 'string') rest['system_fingerprint'] = fingerprint;
  if (typeof tier === 'string') rest['service_tier'] = tier;
  return rest;
}

const CHANGED_MEMBERS = new Set([
  'id',
  'object',
  'created',
  'model',
  'provider',
  'choices',
  'usage',
  'x_groq',
  'citations',
  'search_results',
  'obfuscation',
  'error',
  'system_fingerprint',
  'service_tier',
]);

/** The usage of a chat response or chunk; undefined if there is none yet. Some vendors put it into another member. */
export function chatUsageOf(body: unknown): unknown {
  const { usage, x_groq: wrapper } = membersOf(body);
  return usage ?? membersOf(wrapper)['usage'] ?? undefined;
}

/** The usage of a response or chunk; undefined if there is none yet. Some vendors report it inside the last choice. */
export function usageOf(body: Members): unknown {
  return chatUsageOf(body) ?? chatUsageOf(elementsIn(body['choices']).at(-1));
}

/** The error that an event contains, in one of the shapes that vendors use; undefined if there is none. */
export function errorOf(body: Members): unknown {
  const { error, choices, object, type, message, code, detail } = body;
  if (isSet(error) && error !== false && error !== '') return error;
  if (isSet(choices)) return undefined;
  const isError = object === 'error' || type === 'error' || (message !== undefined && code !== undefined);
  return isError || typeof detail === 'string' ? body : undefined;
}

/** A complete response as a single chunk of a stream. */
export function asChunk(response: Members): Members {
  const { choices } = response;
  if (!Array.isArray(choices)) return response;
  const asDelta = ({ message, ...choice }: Members): Members => ({ ...choice, delta: message });
  return { ...response, choices: choices.map((choice) => asDelta(membersOf(choice))) };
}

/** Like `asChunk`, for bytes. An unreadable body is returned unchanged, and the relay refuses it. */
export function chunkOf(body: Buffer): Buffer {
  try {
    return Buffer.from(JSON.stringify(asChunk(JSON.parse(body.toString('utf8')) as Members)));
  } catch {
    return body;
  }
}
