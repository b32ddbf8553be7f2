import { spawn } from 'node:child_process';
import { memoryOf, OTHER_CORES, pinned, type Server } from './processes.js';

const SAMPLE_MS = 5_000;

interface Sample {
  /** Minutes of load so far. */
  readonly minute: number;
  /** Resident memory. */
  readonly mebibytes: number;
}

export interface MemoryResult {
  readonly requests: number;
  readonly samples: readonly Sample[];
  /** After the first quarter of the time: mean, least-squares slope per minute, and the residual (root mean square). */
  readonly meanMiB: number;
  readonly slopeMiBPerMinute: number;
  readonly noiseMiB: number;
}

export interface MemoryLoad {
  readonly pieceSeconds: number;
  /** Maximum number of requests per second; 0 = no limit. */
  readonly perSecond: number;
  /** The prefix of a piece's command. */
  readonly through: readonly string[];
}

/**
 * Loads one service with all scenarios over 128 connections, in pieces, and measures its resident memory. Each piece is
 * a separate process. A command that waits until a shared machine is free may start each piece, because only the time
 * under load counts.
 */
export async function measureMemory(
  service: Server,
  minutes: number,
  { pieceSeconds, perSecond, through }: MemoryLoad,
): Promise<MemoryResult> {
  const samples: Sample[] = [];
  let requests = 0;
  for (let piece = 0; piece < (minutes * 60) / pieceSeconds; piece++) {
    let begun: number | undefined;
    const timer = setInterval(() => {
      if (begun !== undefined)
        samples.push({
          minute: (piece * pieceSeconds + (performance.now() - begun) / 1000) / 60,
          mebibytes: memoryOf(service.pid),
        });
    }, SAMPLE_MS);
    requests += await loadPiece(service.url, { pieceSeconds, perSecond, through }, () => (begun = performance.now()));
    clearInterval(timer);
  }
  return { requests, samples, ...trendOf(samples.filter(({ minute }) => minute > minutes / 4)) };
}

function loadPiece(
  url: string,
  { pieceSeconds, perSecond, through }: MemoryLoad,
  onBegin: () => void,
): Promise<number> {
  const [command, ...args] = [
    ...through,
    ...pinned(OTHER_CORES),
    process.execPath,
    '--import',
    './dev/typescript-loader.ts',
    'bench/load-piece.ts',
    url,
    `${pieceSeconds}`,
    `${perSecond}`,
  ];
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (output === '') onBegin();
    output += text;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      const requests = /answered (\d+)/.exec(output)?.[1];
      if (code === 0 && requests !== undefined) resolve(Number(requests));
      else reject(new Error(`a piece of load ended with ${code}: ${output}`));
    });
  });
}

function trendOf(samples: readonly Sample[]): Pick<MemoryResult, 'meanMiB' | 'slopeMiBPerMinute' | 'noiseMiB'> {
  const mean = (of: keyof Sample): number => samples.reduce((sum, sample) => sum + sample[of], 0) / samples.length;
  const [x, y] = [mean('minute'), mean('mebibytes')];
  const slope =
    samples.reduce((sum, { minute, mebibytes }) => sum + (minute - x) * (mebibytes - y), 0) /
    samples.reduce((sum, { minute }) => sum + (minute - x) ** 2, 0);
  const squares = samples.reduce((sum, { minute, mebibytes }) => sum + (mebibytes - y - slope * (minute - x)) ** 2, 0);
  return { meanMiB: y, slopeMiBPerMinute: slope, noiseMiB: Math.sqrt(squares / samples.length) };
}

export function tellMemory(
  { requests, samples, meanMiB, slopeMiBPerMinute, noiseMiB }: MemoryResult,
  minutes: number,
): string {
  const head =
    `memory: ${requests} requests in ${minutes} minutes; after the first quarter ${meanMiB.toFixed(0)} MiB, ` +
    `slope ${slopeMiBPerMinute.toFixed(2)} MiB a minute, noise ${noiseMiB.toFixed(1)} MiB`;
  return [
    head,
    'minute MiB',
    ...samples.map(({ minute, mebibytes }) => `${minute.toFixed(1).padStart(6)} ${mebibytes.toFixed(0)}`),
  ].join('\n');
}
