import { useCallback, useEffect, useRef, useState } from 'react';
import { begun, run, type Exchange, type PlaygroundCall } from './exchange';

export interface Lane {
  readonly exchanges: readonly Exchange[];
  readonly isRunning: boolean;
  readonly send: (call: Omit<PlaygroundCall, 'before'>) => void;
  readonly stop: () => void;
  readonly clear: () => void;
}

/** The exchanges with one model. */
export function useLane(): Lane {
  const [exchanges, setExchanges] = useState<readonly Exchange[]>([]);
  const [abort, setAbort] = useState<AbortController | null>(null);
  const running = useRef<AbortController | null>(null);
  running.current = abort;
  // Leaving the page cancels the call, which then costs no more than what was generated.
  useEffect(() => () => running.current?.abort(), []);

  const change = useCallback((part: Partial<Exchange>): void => {
    setExchanges((now) => now.with(now.length - 1, { ...now.at(-1)!, ...part }));
  }, []);

  const send: Lane['send'] = (given) => {
    const call = { ...given, before: given.mode === 'chat' ? exchanges : [] };
    const controller = new AbortController();
    const started = begun(given.prompt);
    setExchanges((now) => [...now, started]);
    setAbort(controller);
    run(call, change, controller.signal)
      .catch((error: Error) => change({ error: controller.signal.aborted ? new Error('Stopped.') : error }))
      .finally(() => {
        change({ tookMs: performance.now() - started.startedAt });
        setAbort(null);
      });
  };
  const stop = useCallback(() => running.current?.abort(), []);
  const clear = useCallback(() => setExchanges([]), []);
  return { exchanges, isRunning: abort !== null, send, stop, clear };
}
