// The entry point of the follower process. It exits when the channel to its parent closes, even if the parent was
// killed.
import { exitAfterLastMessage, leaveSignalsToParent } from '../../../kernel/processes/restarted-process.js';
import type { FollowerOptions, FromFollower, Read, ReadResult, ToFollower } from './follower-messages.js';
import { Follower } from './follower.js';

const stopping = new AbortController();
const reads = new Map<number, AbortController>();
let follower: Follower | undefined;

const send = (message: FromFollower): void => {
  if (process.connected) process.send!(message);
};

leaveSignalsToParent();
process.on('disconnect', () => process.exit(0));

process.on('message', (message: ToFollower) => {
  switch (message.kind) {
    case 'start':
      void follow(message.options);
      break;
    case 'read':
      void read(message.id, message);
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
    phase: (phase, isCaughtUp) => send({ kind: 'phase', phase, isCaughtUp }),
    log: (text) => send({ kind: 'log', message: text }),
  });
  try {
    await follower.run(stopping.signal);
    process.exit(0);
  } catch (error) {
    send({ kind: 'log', message: `The analytics store failed: ${(error as Error).message}` });
    exitAfterLastMessage();
  }
}

async function read(id: number, wanted: Read): Promise<void> {
  const cancel = new AbortController();
  reads.set(id, cancel);
  try {
    const result: ReadResult =
      wanted.of === 'calls'
        ? await follower!.list(wanted.plan, cancel.signal)
        : await follower!.read(wanted.plan, cancel.signal);
    send({ kind: 'result', id, result });
  } catch (error) {
    send({ kind: 'failed', id, message: (error as Error).message });
  } finally {
    reads.delete(id);
  }
}
