/**
 * The program inside an intern's runtime: a small daemon that boots from a document, stores files on a disk, works on
 * turns, responds to health checks, and ends with its supervisor. This folder imports nothing from the project except
 * types, because it also runs in containers that contain nothing else. Protocol: one JSON value per line, see
 * protocol.ts. The agent ends when its input ends.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { isMainThread, Worker } from 'node:worker_threads';
import type { AgentSessions } from './agent-sessions.ts';
import type { BootDocument, SupervisorMessage } from './protocol.ts';
import { send } from './supervisor-link.ts';
import { messageOf } from './turn-failure.ts';
import { watch } from './watch.ts';

/** Takes the lock. If another process has the lock, waits up to two seconds for its end, and then throws. */
async function hold(lock: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const taken = await new Promise<boolean>((resolve) => {
      const server = createServer((socket) => socket.destroy());
      server.once('error', () => resolve(false));
      server.listen(lock, () => resolve(true));
    });
    if (taken) return;
    if (attempt === 20) throw new Error('another runtime of this intern is still alive');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function openBridge({ port, socket }: NonNullable<BootDocument['bridge']>): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer((inner) => {
      const outer = connect(socket);
      inner.pipe(outer).pipe(inner);
      inner.on('error', () => outer.destroy());
      outer.on('error', () => inner.destroy());
      inner.once('close', () => outer.destroy());
    });
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
}

/**
 * The disk is the working folder. Each boot increments a counter in a state file on the disk; the count shows whether
 * the disk was kept.
 */
function noteBoot(document: BootDocument): void {
  mkdirSync('.intern', { recursive: true });
  let boots = 0;
  try {
    boots = (JSON.parse(readFileSync('.intern/state.json', 'utf8')) as { boots: number }).boots;
  } catch {
    // First boot, or a damaged state file: restart the count.
  }
  const state = {
    internId: document.internId,
    name: document.name,
    model: document.model,
    boots: boots + 1,
    secrets: document.secrets.map((secret) => secret.name),
  };
  writeFileSync('.intern/state.json.new', JSON.stringify(state));
  renameSync('.intern/state.json.new', '.intern/state.json');
  writeFileSync('.intern/instructions.md', document.instructions ?? '');
}

async function boot(document: BootDocument): Promise<void> {
  if (document.lock !== null) await hold(document.lock);
  if (document.bridge !== null) await openBridge(document.bridge);
  noteBoot(document);
  send({ ready: true });
}

/** Loaded with the first message that needs it, so that an idle intern needs little memory. */
async function loadWork(document: BootDocument): Promise<AgentSessions> {
  const { AgentSessions } = await import('./agent-sessions.ts');
  return new AgentSessions(document, process.cwd());
}

function main(): void {
  const watcher = new Worker(new URL(import.meta.url));
  let document: BootDocument | undefined;
  let work: Promise<AgentSessions> | undefined;
  watcher.on('message', (message: SupervisorMessage) => {
    if (message.ping !== undefined) send({ pong: message.ping });
    else if (message.stop) process.exit(0);
    else if (message.boot) {
      document = message.boot;
      boot(document).catch((error: unknown) => {
        send({ fault: messageOf(error) });
        process.exit(1);
      });
    } else if (document && message.until === undefined) {
      work ??= loadWork(document);
      void work.then((loaded) => loaded.receive(message));
    }
  });
  // Ctrl-C on a terminal is for the supervisor. A container is stopped by SIGTERM.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => process.exit(0));
}

if (isMainThread) main();
else watch();
