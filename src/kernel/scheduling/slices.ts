/** The time after which sliced work yields to the event loop, checked between its steps. */
const SLICE_MS = 8;

interface Task {
  readonly work: Generator<void, unknown, void>;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

const tasks: Task[] = [];

/**
 * Runs a long computation without blocking the event loop: the computation yields between its steps, and after SLICE_MS
 * other work runs. All such computations share one slice per turn of the loop, so that many computations block the loop
 * no longer than a single computation.
 */
export function inSlices<T>(work: Generator<void, T, void>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    tasks.push({ work, resolve, reject });
    if (tasks.length === 1) setImmediate(runSlice);
  });
}

function runSlice(): void {
  const task = tasks.shift()!;
  const until = performance.now() + SLICE_MS;
  try {
    let step = task.work.next();
    while (!step.done && performance.now() < until) step = task.work.next();
    if (step.done) task.resolve(step.value as never);
    // Re-queued at the end, so that a short computation does not wait for a long one.
    else tasks.push(task);
  } catch (error) {
    task.reject(error);
  }
  if (tasks.length > 0) setImmediate(runSlice);
}
