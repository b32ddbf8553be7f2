import { membersOf } from '../formats/members.js';
import { parsedObject } from '../formats/json/parsed-object.js';
import { badResponse } from '../formats/bad-response.js';
import type { VendorResponse } from './wire/vendor-response.js';

const MAX_RESPONSE_BYTES = 4_194_304;
const MAX_MODELS = 5_000;
const MAX_NAME_CHARACTERS = 300;

/** The names in a vendor's list of models: `{data: [{id}]}`, or `{models: [{name}]}`. */
export async function listedModels(response: VendorResponse): Promise<string[]> {
  const chunks: Buffer[] = [];
  await response.whole(MAX_RESPONSE_BYTES, (chunk) => void chunks.push(chunk));
  const { data, models } = parsedObject(Buffer.concat(chunks));
  const list = Array.isArray(data) ? data : models;
  if (!Array.isArray(list) || list.length > MAX_MODELS) throw badResponse('holds no list of models');
  const names = list.map((entry) => {
    const { id, name } = membersOf(entry);
    return typeof id === 'string' ? id : typeof name === 'string' ? name.replace(/^models\//, '') : '';
  });
  return [...new Set(names.filter((name) => name !== '' && name.length <= MAX_NAME_CHARACTERS))];
}
