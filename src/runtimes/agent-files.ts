import { fileURLToPath } from 'node:url';

/** The folder of the agent's program: compiled, or in tests the TypeScript source, which Node runs directly. */
export const agentFolder = (): string => fileURLToPath(new URL('agent', import.meta.url));

export const AGENT_PROGRAM = `intern-agent.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`;
