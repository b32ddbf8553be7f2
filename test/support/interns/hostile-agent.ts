import { PassThrough } from 'node:stream';
import { SecretValue } from '../../../src/kernel/secret-value.js';
import { AgentConversation, type AgentMembers } from '../../../src/runtimes/agent-conversation.js';

/** The service's conversation with an agent. The test writes the output of the agent. */
export class HostileAgent {
  readonly opened: string[] = [];
  readonly closed: string[] = [];
  readonly input = new PassThrough();
  /** The data that the service sent. */
  received = '';
  readonly output = new PassThrough();
  readonly #conversation = new AgentConversation(this.input, this.output);
  readonly ended = Promise.withResolvers<string>();

  boot(): Promise<AgentMembers> {
    this.input.on('data', (part: Buffer) => (this.received += part.toString()));
    const boot = {
      place: { internId: 'i', no: 1 },
      fence: 1,
      until: () => 0,
      name: 'n',
      description: null,
      instructions: null,
      model: null,
      secrets: [],
      key: new SecretValue('k'),
      egress: null,
      hostGrants: {
        allow: (host: string) => void this.opened.push(host),
        end: (host: string) => void this.closed.push(host),
      },
    };
    const place = { lock: null, bridge: null, proxy: null, runsCommands: true };
    const ready = this.#conversation.boot(boot, place, this.ended.promise, 5_000);
    this.write('{"ready":true}\n');
    return ready;
  }

  get fault(): string | undefined {
    return this.#conversation.fault;
  }

  write(text: string): void {
    this.output.write(text);
  }

  event(event: unknown, more: object = {}): void {
    this.write(`${JSON.stringify({ event: { turnId: 't', event, ...more } })}\n`);
  }
}

export const TURN_REQUEST = {
  turnId: 't',
  sessionId: 's',
  text: 'Hello',
  approvalMode: 'manual',
  limits: { steps: 1, activeMs: 1, tokens: 1, answerMs: 1 },
  allowedHosts: [],
} as const;
