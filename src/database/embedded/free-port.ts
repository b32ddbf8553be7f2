import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { EmbeddedPostgresError } from './embedded-postgres.errors.js';

/**
 * A free port of 127.0.0.1: the preferred one if it is free, so that clients find a restarted server again. Below the ranges
 * that systems take for outgoing connections (from 32768 on Linux), or one of those could take it while the server restarts.
 */
export async function choosePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && (await isFree(preferred))) return preferred;
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const port = randomInt(20_000, 32_000);
    if (await isFree(port)) return port;
  }
  throw new EmbeddedPostgresError('No free port between 20000 and 32000 was found on 127.0.0.1 for PostgreSQL.');
}

export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}
