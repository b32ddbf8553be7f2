import { fileURLToPath } from 'node:url';

/** The program of interns, beside this file: as it is compiled, or, in tests, its source, which Node runs as it is. */
export const agentFile = (): string =>
  fileURLToPath(
    new URL(import.meta.url.endsWith('.ts') ? 'agent/intern-agent.ts' : 'agent/intern-agent.js', import.meta.url),
  );
