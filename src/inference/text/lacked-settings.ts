import { isSet, membersOf, type Members } from '../../formats/members.js';
import type { TextFormat, VendorFormat } from '../../formats/vendor-text.js';
import { hasCacheControl } from '../../formats/measure.js';

const CHAT_SETTINGS = ['min_p', 'top_a', 'repetition_penalty', 'logit_bias', 'logprobs', 'n'];
const SAMPLING = ['frequency_penalty', 'presence_penalty', 'seed'];

/** Settings that the formats of vendors lack, by their names in requests. */
const LACKED_SETTINGS: Readonly<Record<VendorFormat, readonly string[]>> = {
  chat: [],
  responses: [...CHAT_SETTINGS, ...SAMPLING, 'top_k', 'stop', 'stop_sequences', 'cache_control'],
  messages: [...CHAT_SETTINGS, ...SAMPLING, 'json_object', 'verbosity', 'prompt_cache_key'],
};
/** Settings that are not available for vendors that are called through a package. */
const LACKED_BY_PACKAGES = [...CHAT_SETTINGS, 'verbosity', 'prompt_cache_key'];

/**
 * The name of a setting of the request that the vendor's format lacks; undefined if there is none. `vendor`:
 * undefined = called through a package. Cache breakpoints count only if the request is converted to another format.
 */
export function lackedSetting(
  client: TextFormat,
  vendor: VendorFormat | undefined,
  members: Members,
): string | undefined {
  const { text, response_format: responseFormat } = members;
  const { verbosity = members['verbosity'], format: textFormat = responseFormat } = membersOf(text);
  const isJson = membersOf(textFormat)['type'] === 'json_object';
  const hasBreakpoints = client !== vendor && [members, members['messages'], members['input']].some(hasCacheControl);
  const settings: Members = {
    ...members,
    verbosity,
    json_object: isJson || undefined,
    cache_control: hasBreakpoints || undefined,
  };
  return (vendor ? LACKED_SETTINGS[vendor] : LACKED_BY_PACKAGES).find((name) => isSet(settings[name]));
}
