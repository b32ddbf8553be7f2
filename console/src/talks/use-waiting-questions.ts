import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { internList } from '../api/interns';
import { useMay } from '../api/session';
import { talkChanges, waitingQuestions, type WaitingQuestion } from './kept-talks';

const POLL_MS = 15_000;

/**
 * The questions that wait for the person at this browser. No operation lists them: they are those that were asked here,
 * as long as their intern runs. It is looked at only while a question waits and the page is visible.
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
  // Reading `dataUpdatedAt` renders again after each poll: a question waits for a limited time.
  if (dataUpdatedAt === 0) return [];
  const running = new Set(data?.filter(({ status }) => status === 'running').map(({ id }) => id));
  return asked.filter(({ internId }) => running.has(internId));
}

/** Such as `1 question waits`. */
export const waitingWords = (count: number): string => (count === 1 ? '1 question waits' : `${count} questions wait`);
