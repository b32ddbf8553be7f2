import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { nameSearch, type FoundNames } from './name-store';

const TYPING_PAUSE_MS = 250;

interface NameSearch {
  /** Undefined until the response to exactly this text has arrived. */
  readonly found: FoundNames | undefined;
  readonly isSearching: boolean;
}

/**
 * The objects whose names contain a text, as soon as typing pauses. Results for an earlier text are not returned,
 * because Enter chooses an option by its position. It would choose another option if the new results arrived first.
 */
export function useNameSearch(text: string, isEnabled = true): NameSearch {
  const [query] = useDebouncedValue(text, TYPING_PAUSE_MS);
  const { data, isFetching } = useQuery({ ...nameSearch(query), enabled: isEnabled });
  const isTyping = text !== query;
  return { found: isTyping ? undefined : data, isSearching: isTyping || isFetching };
}
