// The entry of the follower's process. It dies with its parent, however that dies: the channel between them closes.
import type { FollowerOptions, FromFollower, ToFollower } from './follower-messages.js';
import { Follower } from './follower.js';

const stopping = new AbortController();
const reads = new Map<number, AbortController>();
let follower: Follower | undefined;

const send = (message: FromFollower): void => {
  if (process.connected) process.send!(message);
};

// Ctrl-C reaches the whole foreground group: the parent decides when to stop.
process.on('SIGINT', () => undefined).on('SIGTERM', () => undefined);
process.on('disconnect', () => process.exit(0));

process.on('message', (message: ToFollower) => {
  switch (message.kind) {
    case 'start':
      void follow(message.options);
      break;
    case 'read':
      void read(message.id, message.plan);
      break;
    case 'cancel':
      reads.get(message.id)?.abort(new Error('cancelled'));
      break;
    default:
      stopping.abort();
  }
});

async function follow(options: FollowerOptions): Promise<void> {
  follower = new Follower(options, {
    phase: (phase) => send({ kind: 'phase', phase }),
    log: (text) => send({ kind: 'log', message: text }),
  });
  try {
    await follower.run(stopping.signal);
    process.exit(0);
  } catch (error) {
    send({ kind: 'log', message: `The analytics store failed: ${(error as Error).message}` });
    // Leaves the message a moment to be sent.
    setTimeout(() => process.exit(1), 50);
  }
}

async function read(id: number, plan: Extract<ToFollower, { kind: 'read' }>['plan']): Promise<void> {
  const cancel = new AbortController();
  reads.set(id, cancel);
  try {
    send({ kind: 'result', id, result: await follower!.read(plan, cancel.signal) });
  } catch (error) {
    send({ kind: 'failed', id, message: (error as Error).message });
  } finally {
    reads.delete(id);
  }
}
