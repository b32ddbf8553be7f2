import { GatewayError } from '../../kernel/errors/errors.js';
import type { CompleteBody, WireReport } from '../client-format.js';
import { isObject, textOf, type Members } from '../members.js';
import { textsOfItem } from './items/output-items.js';
import { endedResponse, endOf, outputOf, usageOfResponse } from './response-object.js';
import type { ResponsesRelayTerms } from './relay.js';

/** A vendor's complete response. Throws provider_failed for an invalid body. Throws the failure for an error in it. */
export function completeResponse(body: Buffer, terms: ResponsesRelayTerms): CompleteBody & WireReport {
  const { head, failure } = terms;
  const response = parsed(body);
  const { error } = response;
  if (error !== undefined && error !== null) throw failure(error);
  const end = endOf(response);
  if (!end) throw failure(response);
  if (!Array.isArray(response['output'])) throw failed("The provider's response holds no output");
  const texts = outputOf(response).flatMap(textsOfItem);
  // Serialised before anything is billed: a response that is nested too deeply counts as failed.
  const text = printed(endedResponse(response, head, terms));
  return {
    usage: usageOfResponse(response),
    upstreamId: textOf(response['id']) || undefined,
    serviceTier: textOf(response['service_tier']),
    finishReason: end.reason,
    nativeFinishReason: end.native,
    finished: true,
    sawOutput: texts.length > 0 || outputOf(response).some(({ type }) => type !== 'message'),
    text: () => texts,
    body: (usage) => `${text.slice(0, -1)},"usage":${JSON.stringify(usage)}}`,
  };
}

/** The members of a vendor's body. Throws provider_failed if it is not a JSON object. */
export function parsed(body: Buffer): Members {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    if (isObject(value)) return value;
  } catch {
    // Invalid JSON, and JSON that is not an object, are not responses of this format.
  }
  throw failed("The provider's response is not a JSON object");
}

/** Throws provider_failed if the response is nested too deeply. */
export function printed(response: object): string {
  try {
    return JSON.stringify(response);
  } catch {
    throw failed("The provider's response is nested too deeply");
  }
}

const failed = (message: string): GatewayError => new GatewayError('provider_failed', message);
