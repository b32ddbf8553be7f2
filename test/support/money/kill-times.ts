import type { KilledIntern } from '../interns/killed-intern.js';

const PROGRESS_EVERY = 10;
/** Consecutive kills of one victim. Few, because a runtime that ends five times in a row is not restarted. */
const IN_A_ROW = 2;

/** Interrupts this number of turns of an intern, alternating between the victims, and prints the progress. */
export async function killRepeatedly(
  kills: number,
  intern: KilledIntern,
  victims: Readonly<Record<string, () => Promise<unknown>>>,
): Promise<void> {
  const names = Object.keys(victims);
  // With few kills, skip ahead so that each victim is killed.
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
