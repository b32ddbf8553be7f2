import { useEffect, useMemo, useRef, useState } from 'react';
import { newExchange, run, type Exchange, type PlaygroundCall } from './exchange';
import type { LaneHistory } from './kept-chats';
import { t } from '../../text/translate';

/** One of several columns, in which one model responds. Two lanes may have the same model. */
export interface Lane {
  readonly id: number;
  readonly model: string;
}

interface LaneState {
  readonly exchanges: readonly Exchange[];
  readonly running: AbortController | null;
}
const EMPTY: LaneState = { exchanges: [], running: null };

export interface Lanes {
  readonly shown: readonly Lane[];
  readonly isRunning: boolean;
  readonly exchangesOf: (lane: Lane) => readonly Exchange[];
  /** The histories of all lanes, including hidden ones. */
  readonly histories: readonly LaneHistory[];
  /**
   * Stops the call of a lane and moves the lane behind the others; the caller removes the model from `models`. The
   * history is kept and shown again if the model is chosen again.
   */
  readonly release: (at: number) => void;
  readonly send: (lane: Lane, call: Omit<PlaygroundCall, 'before' | 'model'>) => void;
  readonly stop: () => void;
  readonly clear: () => void;
}

/**
 * Returns a lane for each model: a known lane of that model if there is one (shown lanes first), otherwise a new one.
 */
function lanesFor(models: readonly string[], known: readonly Lane[]): Lane[] {
  const free = [...known];
  let nextId = Math.max(-1, ...known.map(({ id }) => id)) + 1;
  return models.map((model) => {
    const at = free.findIndex((lane) => lane.model === model);
    return at < 0 ? { id: nextId++, model } : free.splice(at, 1)[0]!;
  });
}

const addressesOf = ({ exchanges }: LaneState): string[] => exchanges.flatMap(({ audio }) => audio ?? []);
const revoke = (lanes: Iterable<LaneState>): void => {
  for (const lane of lanes) addressesOf(lane).forEach((address) => URL.revokeObjectURL(address));
};

/** The exchanges with each model. A history belongs to a lane, and so to its model, not to a position. */
export function useLanes(models: readonly string[], before: readonly LaneHistory[]): Lanes {
  const [known, setKnown] = useState<readonly Lane[]>(() => before.map(({ model }, id) => ({ id, model })));
  const [states, setStates] = useState<ReadonlyMap<number, LaneState>>(
    () => new Map(before.map(({ exchanges }, id) => [id, { exchanges, running: null }])),
  );
  const latest = useRef(states);
  latest.current = states;
  const shown = lanesFor(models, known);
  const hidden = known.filter(({ id }) => !shown.some((lane) => lane.id === id));
  if (shown.some(({ id }) => !known.some((lane) => lane.id === id))) setKnown([...shown, ...hidden]);

  // If the page is left, its calls are cancelled and the object URLs of its audio are revoked. A cancelled call is
  // billed only for the output that was generated until then.
  useEffect(
    () => () => {
      for (const { running } of latest.current.values()) running?.abort();
      revoke(latest.current.values());
    },
    [],
  );

  const update = (id: number, change: (state: LaneState) => LaneState): void =>
    setStates((now) => new Map(now).set(id, change(now.get(id) ?? EMPTY)));
  const stateOf = ({ id }: Lane): LaneState => states.get(id) ?? EMPTY;

  const send: Lanes['send'] = (lane, given) => {
    const call = { ...given, model: lane.model, before: given.mode === 'chat' ? stateOf(lane).exchanges : [] };
    const controller = new AbortController();
    const started = newExchange(given.prompt, given.attachments);
    const change = (part: Partial<Exchange>): void =>
      update(lane.id, (now) => ({
        ...now,
        exchanges: now.exchanges.with(now.exchanges.length - 1, { ...now.exchanges.at(-1)!, ...part }),
      }));
    update(lane.id, ({ exchanges }) => ({ exchanges: [...exchanges, started], running: controller }));
    run(call, change, controller.signal)
      .catch((error: Error) => change({ error: controller.signal.aborted ? new Error(t('Stopped.')) : error }))
      .finally(() => {
        change({ tookMs: performance.now() - started.startedAt });
        update(lane.id, (now) => ({ ...now, running: null }));
      });
  };
  const histories = useMemo(
    () => known.map(({ id, model }) => ({ model, exchanges: states.get(id)?.exchanges ?? [] })),
    [known, states],
  );
  return {
    shown,
    histories,
    isRunning: shown.some((lane) => stateOf(lane).running !== null),
    exchangesOf: (lane) => stateOf(lane).exchanges,
    release: (at) => {
      stateOf(shown[at]!).running?.abort();
      setKnown([...shown.toSpliced(at, 1), ...hidden, shown[at]!]);
    },
    send,
    stop: () => shown.forEach((lane) => stateOf(lane).running?.abort()),
    clear: () => {
      const ended = known.filter((lane) => stateOf(lane).running === null);
      revoke(ended.map(stateOf));
      ended.forEach(({ id }) => update(id, () => EMPTY));
    },
  };
}
