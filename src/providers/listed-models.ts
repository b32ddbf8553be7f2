import { membersOf } from '../formats/members.js';
import { responseMembers } from '../formats/response-members.js';
import { badResponse } from '../formats/bad-response.js';
import type { ListCall } from './ports/endpoint-call.js';
import type { VendorClient } from './wire/vendor-client.js';
import type { VendorRequest } from './wire/vendor-request.js';

const MAX_RESPONSE_BYTES = 4_194_304;
const MAX_MODELS = 5_000;
const MAX_NAME_CHARACTERS = 300;

/** The names in a vendor's list of models, `GET {baseUrl}/models`: `{data: [{id}]}`, or `{models: [{name}]}`. */
export async function listedModels(
  client: VendorClient,
  { signal, timeoutMs, channel }: ListCall,
  target: Pick<VendorRequest, 'baseUrl' | 'headers' | 'secret'>,
): Promise<string[]> {
  const response = await client.post({ ...target, path: '/models', signal, timeoutMs, channel });
  const { data, models } = responseMembers(await response.bytes(MAX_RESPONSE_BYTES));
  const list = Array.isArray(data) ? data : models;
  if (!Array.isArray(list) || list.length > MAX_MODELS) throw badResponse('holds no list of models');
  const names = list.map((entry) => {
    const { id, name } = membersOf(entry);
    return typeof id === 'string' ? id : typeof name === 'string' ? name.replace(/^models\//, '') : '';
  });
  return [...new Set(names.filter((name) => name !== '' && name.length <= MAX_NAME_CHARACTERS))];
}
