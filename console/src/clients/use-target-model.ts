import { useQuery } from '@tanstack/react-query';
import { callableModels } from '../api/models';
import type { ModelRecord } from '../api/records';

/** Needs no credential, so that it can always be called. */
const BUILT_IN = 'builtin/eliza';

const makesText = ({ architecture }: ModelRecord): boolean => architecture.output_modalities.includes('text');

/** The models that make text and can be called now: models of vendors first. */
export function useTextModels(): readonly string[] {
  const models = useQuery(callableModels);
  const ids = (models.data ?? []).filter(makesText).map(({ id }) => id);
  const isBuiltIn = (id: string): boolean => id.startsWith('builtin/');
  return [...ids.filter((id) => !isBuiltIn(id)), ...ids.filter(isBuiltIn)];
}

/** A model for an example: of a vendor, if one can be called. */
export const useTargetModel = (): string => useTextModels()[0] ?? BUILT_IN;
