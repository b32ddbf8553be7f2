import { upstreamModelOf } from '../../channels/channel.js';
import type { OpenedChannel } from '../../channels/channel-directory.js';
import { GatewayError } from '../../kernel/errors/errors.js';
import type { AdapterRegistry } from '../adapter-registry.js';
import type { PlannedEndpoint } from '../task.js';
import type { TextRequest } from '../../formats/client-format.js';
import { wholeNumber } from '../../formats/members.js';
import { objectIn } from '../../formats/response-members.js';
import { isInOneOf, wireRequest } from './text-call.js';

const MAX_BODY_BYTES = 65_536;

/**
 * Counts a request's input tokens with the first endpoint of a plan that can count. Undefined if no endpoint can, or if
 * the count fails. Does not use callers' own credentials.
 */
export async function vendorCount(
  plan: readonly PlannedEndpoint[],
  request: TextRequest,
  adapters: AdapterRegistry,
  signal: AbortSignal,
  open: (planned: PlannedEndpoint) => OpenedChannel | Promise<OpenedChannel>,
): Promise<number | undefined> {
  for (const planned of plan) {
    const { endpoint, options, model, channel, own } = planned;
    const adapter = adapters.text.get(endpoint.adapter!);
    const counts = adapter?.operationsOf?.(endpoint).includes('count_tokens') && adapter.formatsOf(endpoint);
    if (own || !channel || !adapter?.send || !counts || !isInOneOf(counts, request)) continue;
    const { provider, package: pack, timeoutMs } = endpoint;
    const upstreamModel = upstreamModelOf(channel, endpoint, model);
    try {
      const { secret: credential, call: channelCall } = await open(planned);
      const about = { provider, upstreamModel, package: pack, timeoutMs, channel: channelCall, options };
      const call = { ...about, credential, signal, streamed: false };
      const response = await adapter.send({ ...call, request: { ...wireRequest(request), operation: 'count_tokens' } });
      const body = await response.whole(MAX_BODY_BYTES);
      return wholeNumber(objectIn(body.toString('utf8'))?.input_tokens);
    } catch (error) {
      if (!(error instanceof GatewayError) || signal.aborted) throw error;
      return undefined;
    }
  }
  return undefined;
}
