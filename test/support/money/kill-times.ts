import type { KilledIntern } from '../interns/killed-intern.js';

const PROGRESS_EVERY = 10;
/** Kills in a row of one victim: a runtime that ends five times in a row is not started again. */
const IN_A_ROW = 2;

/** Cuts this many turns of an intern, with the victims one after another, and prints the progress. */
export async function killTimes(
  kills: number,
  intern: KilledIntern,
  victims: Readonly<Record<string, () => Promise<unknown>>>,
): Promise<void> {
  const names = Object.keys(victims);
  // A short run meets all victims as well.
  const step = Math.max(1, Math.floor((IN_A_ROW * names.length) / (kills + 1)));
  const outcomes: Record<string, number> = {};
  const start = performance.now();
  for (let number = 1; number <= kills; number++) {
    const victim = names[Math.floor((number * step) / IN_A_ROW) % names.length]!;
    const outcome = `${victim}: ${await intern.cut(number, victims[victim]!)}`;
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    if (number % PROGRESS_EVERY !== 0 && number !== kills) continue;
    const seconds = ((performance.now() - start) / 1_000).toFixed(0);
    process.stdout.write(`${number} of ${kills} kills in ${seconds} s: ${JSON.stringify(outcomes)}\n`);
  }
}
