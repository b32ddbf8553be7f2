import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from '../services/free-port.js';
import { eventually } from '../eventually.js';

export const ZOOKEEPER_JAR = '/usr/share/java/zookeeper.jar';
export const JAVA = '/usr/bin/java';
const MAIN = 'org.apache.zookeeper.server.ZooKeeperServerMain';
const SMALL = ['-Xms32m', '-Xmx128m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Xshare:auto'];

/** Arguments of `setpriv`, which kill a program when its parent process ends for any reason. */
export const ENDS_WITH_PARENT = ['--pdeathsig', 'KILL', '--'];

/** A ZooKeeper server on loopback. */
export class ZooKeeperProcess {
  #server: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    private readonly config: string,
  ) {}

  static async start(folder: string): Promise<ZooKeeperProcess> {
    const port = await freePort();
    const config = join(folder, 'zoo.cfg');
    await mkdir(join(folder, 'data'), { recursive: true });
    await writeFile(
      config,
      `tickTime=500\ndataDir=${folder}/data\nclientPortAddress=127.0.0.1\nclientPort=${port}\n` +
        'admin.enableServer=false\nmaxClientCnxns=0\nforceSync=no\n4lw.commands.whitelist=srvr\n',
    );
    const server = new ZooKeeperProcess(port, config);
    await server.start();
    return server;
  }

  async start(): Promise<void> {
    const words = [...ENDS_WITH_PARENT, JAVA, ...SMALL, '-cp', ZOOKEEPER_JAR, MAIN, this.config];
    this.#server = spawn('setpriv', words, { stdio: 'ignore' });
    await eventually(async () => {
      const socket = connect(this.port, '127.0.0.1');
      // A server that is still starting may accept a connection and never respond.
      socket.setTimeout(1_000, () => socket.destroy(new Error('ZooKeeper does not respond')));
      socket.end('srvr');
      if (!(await text(socket)).includes('Mode: standalone')) throw new Error('ZooKeeper is not ready');
    }, 60_000);
  }

  /** Kills the process, like a crash. `start` starts it again with its data. */
  async kill(): Promise<void> {
    const server = this.#server;
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const gone = once(server, 'exit');
    server.kill('SIGKILL');
    await gone;
  }
}
