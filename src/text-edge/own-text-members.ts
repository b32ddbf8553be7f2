import { isSet } from '../formats/members.js';
import { invalidRequest } from '../kernel/errors/errors.js';
import type { OwnTextMembers } from './own-text-members.dto.js';

const MAX_QUOTED_CHARACTERS = 64;
const MAX_STOPS = 4;

/**
 * Checks the members `model`, `models`, `plugins` and `preset` of a body. Throws invalid_request if a member is invalid
 * or requests a function that this service lacks. Ignoring such a member would change the response without notice.
 */
export function checkOwnMembers({ model, models, plugins }: OwnTextMembers, preset: unknown): void {
  if (Array.isArray(models) && !models.every((value) => typeof value === 'string' && value !== ''))
    throw invalidRequest('models must be an array of strings');
  for (const plugin of plugins ?? []) {
    const { id, enabled } = (plugin ?? {}) as { readonly id?: unknown; readonly enabled?: unknown };
    if (typeof id !== 'string') throw invalidRequest('plugins: each must be an object with an id');
    if (enabled !== false) throw invalidRequest(`plugins: ${id.slice(0, MAX_QUOTED_CHARACTERS)} is not available here`);
  }
  const isPreset = [model, ...(models ?? [])].some((name) => name?.includes('@preset/'));
  if (isPreset || isSet(preset)) throw invalidRequest('preset: presets are not available here, name a model');
}

/** Throws invalid_request if the member `stop` of a body is invalid. */
export function checkStop(stop: unknown): void {
  if (!isSet(stop) || typeof stop === 'string') return;
  if (!Array.isArray(stop) || stop.length > MAX_STOPS || !stop.every((text) => typeof text === 'string'))
    throw invalidRequest(`stop must be a string or an array of at most ${MAX_STOPS} strings`);
}
