import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { internList } from '../api/interns';
import { useMay } from '../api/session';
import { talkChanges } from './kept-store';
import { waitingQuestions, type WaitingQuestion } from './kept-talks';
import { plural } from '../text/translate';

const POLL_MS = 15_000;

/**
 * The questions that the person at this browser can answer. The API cannot list them, so only questions shown in this
 * browser count, while their intern is running. Polls only while there is such a question and the page is visible.
 */
export function useWaitingQuestions(): readonly WaitingQuestion[] {
  const isAllowed = useMay('interns');
  useSyncExternalStore(talkChanges.subscribe, talkChanges.snapshot);
  const asked = isAllowed ? waitingQuestions() : [];
  const { data, dataUpdatedAt } = useQuery({
    ...internList,
    enabled: asked.length > 0,
    refetchInterval: POLL_MS,
    refetchIntervalInBackground: false,
  });
  // Reading `dataUpdatedAt` renders again after each poll, because questions time out.
  if (dataUpdatedAt === 0) return [];
  const running = new Set(data?.filter(({ status }) => status === 'running').map(({ id }) => id));
  return asked.filter(({ internId }) => running.has(internId));
}

/** A text such as `1 question waits`. */
export const waitingWords = (count: number): string =>
  plural(count, '{count} question waits', '{count} questions wait');
