/**
 * What runs inside an intern's runtime: a small daemon that boots with what it is told, keeps a disk, answers health, and dies
 * with its supervisor. It is one file without imports of the house, because it also runs in containers that hold nothing else.
 *
 * It is told everything through its standard input, one JSON value a line: first the boot document, then `{until}`, `{ping}`,
 * `{stop}`. It answers on its standard output: `{ready}`, `{pong}`, `{fault}`. The end of the input is the end of the agent.
 */
import { createReadStream, mkdirSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';

interface BootDocument {
  readonly internId: string;
  readonly fence: number;
  readonly until: number;
  readonly name: string;
  readonly instructions: string | null;
  readonly model: string | null;
  readonly secrets: readonly {
    readonly name: string;
    readonly hosts: readonly string[];
    readonly placeholder: string;
  }[];
  readonly key: string;
  /** Held for as long as the agent lives, so that no second one of the same intern can run on this machine; null where the driver sees to it. */
  readonly lock: string | null;
  /** Where there is no network: a port of the loopback that leads to the egress proxy's socket. */
  readonly bridge: { readonly port: number; readonly socket: string } | null;
}

interface Order {
  readonly boot?: BootDocument;
  readonly until?: number;
  readonly ping?: number;
  readonly stop?: true;
}

const GRACE_MS = 2_000;
const LOOK_MS = 200;

/** Ends this process and everything it started that stayed in its group. */
function die(): void {
  for (const target of [-process.pid, process.pid]) {
    try {
      process.kill(target, 'SIGKILL');
    } catch {
      // Not the leader of a group: the second one always is there.
    }
  }
}

/** Runs beside the daemon in a thread of its own, so that a daemon that hangs dies all the same. */
function watch(): void {
  let text = '';
  let until = Number.POSITIVE_INFINITY;
  let ending = Number.POSITIVE_INFINITY;
  const end = (): void => {
    if (ending !== Number.POSITIVE_INFINITY) return;
    ending = performance.now() + GRACE_MS;
    parentPort!.postMessage({ stop: true } satisfies Order);
  };
  const input = createReadStream('', { fd: 0, encoding: 'utf8' });
  input.on('data', (part) => {
    text += String(part);
    const lines = text.split('\n');
    text = lines.pop()!;
    for (const line of lines) {
      const order = JSON.parse(line) as Order;
      until = order.until ?? order.boot?.until ?? until;
      // Its time was over before it began: whoever started it has been stalled, and another may be running.
      if (Date.now() >= until) die();
      else if (order.stop) end();
      else parentPort!.postMessage(order);
    }
  });
  input.once('close', end).once('error', end);
  setInterval(() => {
    // Nobody has said that this intern is still ours: another worker may start it elsewhere from here on.
    if (Date.now() >= until || performance.now() >= ending) die();
  }, LOOK_MS);
}

const say = (message: object): void => void writeSync(1, `${JSON.stringify(message)}\n`);

/** Takes the lock, waiting a little for one who is just dying. */
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
    });
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
}

/** The disk is the working folder. What it keeps of itself shows that it is the same disk after every boot. */
function noteBoot(document: BootDocument): number {
  mkdirSync('.intern', { recursive: true });
  let boots = 0;
  try {
    boots = (JSON.parse(readFileSync('.intern/state.json', 'utf8')) as { boots: number }).boots;
  } catch {
    // The first boot, or a state that was damaged: it counts anew.
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
  return state.boots;
}

async function boot(document: BootDocument): Promise<void> {
  if (document.lock !== null) await hold(document.lock);
  if (document.bridge !== null) await openBridge(document.bridge);
  say({ ready: true, boots: noteBoot(document) });
}

if (isMainThread) {
  const watcher = new Worker(new URL(import.meta.url));
  watcher.on('message', (order: Order) => {
    if (order.boot)
      boot(order.boot).catch((error: unknown) => {
        say({ fault: error instanceof Error ? error.message : String(error) });
        process.exit(1);
      });
    if (order.ping !== undefined) say({ pong: order.ping });
    if (order.stop) process.exit(0);
  });
  // A terminal's Ctrl-C belongs to the supervisor; a container's stop comes as SIGTERM.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => process.exit(0));
} else {
  watch();
}
