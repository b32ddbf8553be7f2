import { setTimeout as sleep } from 'node:timers/promises';
import { PassThrough, type Duplex } from 'node:stream';
import Docker from 'dockerode';
import { AgentConversation } from '../agent-conversation.js';
import { agentFile } from '../agent-file.js';
import {
  RuntimeDriver,
  SupersededRuntime,
  type Runtime,
  type RuntimeBoot,
  type RuntimePlace,
} from '../runtime.driver.js';
import { BRIDGE, containerOf, nameOf, ownershipOf } from './intern-container.js';

const READY_WITHIN_MS = 30_000;
const STOPS_WITHIN_MS = 3_000;

export interface DockerOptions {
  /** The Docker Engine's socket. */
  readonly socketPath: string;
  /** An image with Node 24 as `node` in its path. */
  readonly image: string;
  readonly memoryMb: number;
}

/**
 * An intern as a container without a network: the isolation boundary. Its only way out is the egress proxy's socket, mounted in; its
 * root is read-only, its disk a volume, and it has no capability. The container's name is the lock of which there is one.
 */
export class DockerRuntimeDriver extends RuntimeDriver {
  readonly runs = true;
  readonly #docker: Docker;

  constructor(private readonly options: DockerOptions) {
    super();
    this.#docker = new Docker({ socketPath: options.socketPath });
  }

  /** The volume belongs to the intern's own user; only a root container can give it away, and may do nothing else. */
  async prepare(place: RuntimePlace): Promise<void> {
    await this.#docker.createVolume({ Name: nameOf(place), Labels: { 'gatehouse.intern': place.internId } });
    const container = await this.#docker.createContainer(ownershipOf(place, this.options.image));
    try {
      await container.start();
      const { StatusCode: code } = (await container.wait()) as { StatusCode: number };
      if (code !== 0) throw new Error(`the disk could not be given to the intern (exit code ${code})`);
    } finally {
      await container.remove({ force: true, v: false }).catch(() => undefined);
    }
  }

  async start(boot: RuntimeBoot): Promise<Runtime> {
    const container = await this.#create(boot);
    try {
      const stream = (await container.attach({
        stream: true,
        stdin: true,
        stdout: true,
        stderr: true,
        hijack: true,
      })) as Duplex;
      const output = new PassThrough();
      this.#docker.modem.demuxStream(stream, output, new PassThrough().resume());
      const conversation = new AgentConversation(stream, output);
      const ended = this.#endOf(container, conversation);
      await container.start();
      return await this.#converse(container, conversation, ended, boot);
    } catch (error) {
      await container.remove({ force: true }).catch(() => undefined);
      throw error;
    }
  }

  async stop(place: RuntimePlace, fence: number): Promise<void> {
    const found = await this.#find(place);
    if (!found) return;
    if (found.fence > fence) throw new SupersededRuntime(`a container was started under fence ${found.fence}`);
    await this.#removeById(found.id);
  }

  async remove(place: RuntimePlace): Promise<void> {
    await this.#docker.getVolume(nameOf(place)).remove().catch(unless(404));
  }

  /** By id, never by name: a stalled worker that goes on can remove only what it has seen. */
  async #create(boot: RuntimeBoot): Promise<Docker.Container> {
    for (;;) {
      await this.stop(boot.place, boot.fence);
      try {
        return await this.#docker.createContainer(containerOf(boot, this.options, agentFile()));
      } catch (error) {
        // Another worker's was there first: its fence decides.
        if (statusOf(error) !== 409) throw error;
      }
    }
  }

  async #find(place: RuntimePlace): Promise<{ id: string; fence: number } | undefined> {
    try {
      const { Id: id, Config: config } = await this.#docker.getContainer(nameOf(place)).inspect();
      return { id, fence: Number(config.Labels['gatehouse.fence']) };
    } catch (error) {
      if (statusOf(error) === 404) return undefined;
      throw error;
    }
  }

  async #removeById(id: string): Promise<void> {
    const container = this.#docker.getContainer(id);
    await container.remove({ force: true }).catch(unless(404, 409));
    // A removal that was under way already answers 409: the name is free when it is through.
    while (
      await container.inspect().then(
        () => true,
        (error: unknown) => statusOf(error) !== 404,
      )
    )
      await sleep(50);
  }

  #endOf(container: Docker.Container, conversation: AgentConversation): Promise<string> {
    return container.wait({ condition: 'next-exit' }).then(
      (result: { StatusCode: number }) =>
        conversation.fault ?? `its container ended with exit code ${result.StatusCode}`,
      () => 'its container is gone',
    );
  }

  async #converse(
    container: Docker.Container,
    conversation: AgentConversation,
    ended: Promise<string>,
    boot: RuntimeBoot,
  ): Promise<Runtime> {
    await conversation.boot(boot, { lock: null, bridge: boot.egress ? BRIDGE : null }, ended, READY_WITHIN_MS);
    return {
      ended,
      extend: (until) => conversation.extend(until),
      isHealthy: () => conversation.isHealthy(),
      stop: async () => {
        conversation.stop();
        await Promise.race([ended, sleep(STOPS_WITHIN_MS, undefined, { ref: false })]);
        await this.#removeById(container.id);
        await ended;
      },
    };
  }
}

const statusOf = (error: unknown): number | undefined => (error as { statusCode?: number } | null)?.statusCode;

const unless =
  (...statuses: readonly number[]) =>
  (error: unknown): void => {
    if (!statuses.includes(statusOf(error) ?? 0)) throw error;
  };
