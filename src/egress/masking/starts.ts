/** Evenly spaced positions in the source. The indices of the bytes that were read there are evenly spaced too. */
interface Run {
  /** Number of bytes read before the first position. */
  readonly index: number;
  readonly place: number;
  readonly indexStep: number;
  readonly placeStep: number;
  readonly count: number;
}

/** Maximum number of runs. Further runs are not recorded. */
const MAX_RUNS = 16;

/**
 * The positions where a form may have started, oldest first; never empty. A periodic secret may have thousands of
 * positions, so evenly spaced positions are stored as one run. Positions after MAX_RUNS runs are omitted, because a
 * match from an older position covers them.
 */
export class Starts {
  private constructor(private readonly runs: readonly [Run, ...Run[]]) {}

  static at(index: number, place: number): Starts {
    return new Starts([{ index, place, indexStep: 0, placeStep: 0, count: 1 }]);
  }

  /** A measure of the memory and work. */
  get weight(): number {
    return this.runs.length;
  }

  /** The oldest position. */
  get first(): number {
    return this.runs[0].place;
  }

  and(index: number, place: number): Starts {
    const last = this.runs.at(-1)!;
    const [indexStep, placeStep] =
      last.count === 1 ? [index - last.index, place - last.place] : [last.indexStep, last.placeStep];
    const fits = index === last.index + last.count * indexStep && place === last.place + last.count * placeStep;
    if (fits)
      return new Starts([
        ...this.runs.slice(0, -1),
        { ...last, indexStep, placeStep, count: last.count + 1 },
      ] as unknown as [Run]);
    return this.runs.length === MAX_RUNS
      ? this
      : new Starts([...this.runs, { index, place, indexStep: 0, placeStep: 0, count: 1 }]);
  }

  /** The positions with at least this index; if there is none, the newest position. */
  from(index: number): Starts {
    if (this.runs[0].index >= index) return this;
    const left = this.runs.map((run) => endOf(run, index)).filter((run) => run.count > 0);
    const [first, ...others] = left;
    return first === undefined
      ? new Starts([endOf(this.runs.at(-1)!, Number.POSITIVE_INFINITY)])
      : new Starts([first, ...others]);
  }
}

/** The part of a run at or after an index; for an infinite index its last position. */
function endOf(run: Run, index: number): Run {
  const wanted = run.indexStep === 0 ? (index > run.index ? 1 : 0) : Math.ceil((index - run.index) / run.indexStep);
  const skipped = Math.min(Math.max(wanted, 0), index === Number.POSITIVE_INFINITY ? run.count - 1 : run.count);
  return {
    ...run,
    index: run.index + skipped * run.indexStep,
    place: run.place + skipped * run.placeStep,
    count: run.count - skipped,
  };
}
