import { useQuery } from '@tanstack/react-query';
import { callableModels } from '../api/models';
import type { ModelRecord } from '../api/records';

/** A model without a credential, so that it can always be called. */
const BUILT_IN = 'builtin/eliza';

const makesText = ({ architecture }: ModelRecord): boolean => architecture.output_modalities.includes('text');

/** The text models that can be called now. Models of vendors come first. Undefined until they are known. */
export function useTextModels(): readonly string[] | undefined {
  const { data, isPending } = useQuery(callableModels);
  if (isPending) return undefined;
  const ids = (data ?? []).filter(makesText).map(({ id }) => id);
  const isBuiltIn = (id: string): boolean => id.startsWith('builtin/');
  return [...ids.filter((id) => !isBuiltIn(id)), ...ids.filter(isBuiltIn)];
}

/** A model for an example: a vendor's, if one can be called. */
export const useTargetModel = (): string => useTextModels()?.[0] ?? BUILT_IN;
