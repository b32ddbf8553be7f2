import { invalidRequest } from '../kernel/errors/errors.js';
import type { OwnTextMembers } from './own-text-members.dto.js';

const MAX_QUOTED_CHARACTERS = 64;

/**
 * Rules of these members that are about the inside of one; throws invalid_request. Members for work that this service
 * does not do are refused: without a refusal the response would differ silently. `preset`: of the whole body.
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
  if (isPreset || (preset !== undefined && preset !== null))
    throw invalidRequest('preset: presets are not available here, name a model');
}
