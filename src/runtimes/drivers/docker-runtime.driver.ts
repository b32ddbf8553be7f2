import { setTimeout as sleep } from 'node:timers/promises';
import type { Duplex } from 'node:stream';
import type Docker from 'dockerode';
import { reasonOf } from '../../kernel/errors/errors.js';
import { AgentConversation } from '../agent-conversation.js';
import {
  RuntimeDriver,
  SupersededRuntime,
  type Runtime,
  type RuntimeBoot,
  type RuntimePlace,
} from '../runtime.driver.js';
import { ContainerOutput } from './container-output.js';
import { DockerEngine, statusOf, unless } from './docker-engine.js';
import { BRIDGE, containerOfIntern, containerName, ownershipOf, proxyOf } from './intern-container.js';

const READY_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 3_000;
const REMOVE_TIMEOUT_MS = 30_000;

interface DockerOptions {
  /** The Docker Engine's socket. */
  readonly socketPath: string;
  /** An image with Node 24 as `node` in its PATH. */
  readonly image: string;
  readonly memoryMb: number;
}

/**
 * Runs each intern as a container without a network. The container is an isolation boundary. Its only network access is
 * the mounted socket of the egress proxy. Its root is read-only, its disk is a volume, and it has no capabilities. The
 * unique container name serves as the lock.
 */
export class DockerRuntimeDriver extends RuntimeDriver {
  readonly runs = true;
  readonly #engine: DockerEngine;

  constructor(private readonly options: DockerOptions) {
    super();
    this.#engine = new DockerEngine(options.socketPath);
  }

  /** Creates the volume, and gives it to the intern's user by a container that runs as root and does nothing else. */
  async prepare(place: RuntimePlace, signal?: AbortSignal): Promise<void> {
    // Read first, because a read detects a hung engine earlier than a change, which has a longer timeout.
    await this.#find(place, signal);
    await this.#engine.change(
      (docker, abortSignal) =>
        docker.createVolume({
          Name: containerName(place),
          Labels: { 'gatehouse.intern': place.internId },
          abortSignal,
        }),
      signal,
    );
    const container = await this.#engine.change(
      (docker, abortSignal) => docker.createContainer({ ...ownershipOf(place, this.options.image), abortSignal }),
      signal,
    );
    try {
      await this.#engine.change((_, abortSignal) => container.start({ abortSignal }), signal);
      const { StatusCode: code } = await this.#engine.change<{ StatusCode: number }>(
        (_, abortSignal) => container.wait({ abortSignal }),
        signal,
      );
      if (code !== 0) throw new Error(`the disk could not be given to the intern (exit code ${code})`);
    } finally {
      await this.#engine
        .change((_, abortSignal) => container.remove({ force: true, v: false, abortSignal }), signal)
        .catch(() => undefined);
    }
  }

  async start(boot: RuntimeBoot, signal?: AbortSignal): Promise<Runtime> {
    const container = await this.#create(boot, signal);
    try {
      const attached = { stream: true, stdin: true, stdout: true, stderr: true, hijack: true };
      const stream = (await this.#engine.change(
        (_, abortSignal) => container.attach({ ...attached, abortSignal }),
        signal,
      )) as Duplex;
      const conversation = new AgentConversation(stream, stream.pipe(new ContainerOutput()));
      const ended = this.#endOf(container, conversation);
      await this.#engine.change((_, abortSignal) => container.start({ abortSignal }), signal);
      return await this.#converse(container, conversation, ended, boot);
    } catch (error) {
      await this.#engine
        .change((_, abortSignal) => container.remove({ force: true, abortSignal }))
        .catch(() => undefined);
      throw error;
    }
  }

  async stop(place: RuntimePlace, fence: number, signal?: AbortSignal): Promise<void> {
    const found = await this.#find(place, signal);
    if (!found) return;
    if (found.fence > fence) throw new SupersededRuntime(`a container was started under fence ${found.fence}`);
    await this.#removeById(found.id, signal);
  }

  async remove(place: RuntimePlace, signal?: AbortSignal): Promise<void> {
    await this.#engine
      .change((docker, abortSignal) => docker.getVolume(containerName(place)).remove({ abortSignal }), signal)
      .catch(unless(404));
  }

  /**
   * Creates the intern's container. Removes an earlier container by id, not by name, so that a stalled worker can
   * remove only the container that it has found.
   */
  async #create(boot: RuntimeBoot, signal: AbortSignal | undefined): Promise<Docker.Container> {
    for (;;) {
      await this.stop(boot.place, boot.fence, signal);
      try {
        return await this.#engine.change(
          (docker, abortSignal) => docker.createContainer({ ...containerOfIntern(boot, this.options), abortSignal }),
          signal,
        );
      } catch (error) {
        // Another worker created its container first. Try again, because the higher fence wins.
        if (statusOf(error) !== 409) throw error;
      }
    }
  }

  async #find(
    place: RuntimePlace,
    signal: AbortSignal | undefined,
  ): Promise<{ id: string; fence: number } | undefined> {
    const found = await this.#engine
      .lookUp((docker, abortSignal) => docker.getContainer(containerName(place)).inspect({ abortSignal }), signal)
      .catch(unless(404));
    return found && { id: found.Id, fence: Number(found.Config.Labels['gatehouse.fence']) };
  }

  async #removeById(id: string, signal?: AbortSignal): Promise<void> {
    await this.#engine
      .change((docker, abortSignal) => docker.getContainer(id).remove({ force: true, abortSignal }), signal)
      .catch(unless(404, 409));
    // A removal in progress returns 409. The name is free after the removal has finished.
    const found = (): Promise<unknown> =>
      this.#engine
        .lookUp((docker, abortSignal) => docker.getContainer(id).inspect({ abortSignal }), signal)
        .catch(unless(404));
    for (const until = performance.now() + REMOVE_TIMEOUT_MS; await found(); await sleep(50)) {
      if (performance.now() > until) throw new Error(`the container ${id.slice(0, 12)} could not be removed`);
    }
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
    containerEnded: Promise<string>,
    boot: RuntimeBoot,
  ): Promise<Runtime> {
    const abandoned = Promise.withResolvers<string>();
    const ended = Promise.race([containerEnded, abandoned.promise]);
    const agentPlace = {
      lock: null,
      bridge: boot.egress ? BRIDGE : null,
      proxy: proxyOf(boot.egress),
      runsCommands: true,
    };
    const members = await conversation.boot(boot, agentPlace, ended, READY_TIMEOUT_MS);
    return {
      ended,
      ...members,
      stop: async () => {
        conversation.stop();
        await Promise.race([ended, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })]);
        try {
          await this.#removeById(container.id);
        } catch (error) {
          // It is unknown whether the container has ended. The agent ends at `until`.
          abandoned.resolve(`its container could not be ended: ${reasonOf(error)}`);
          throw error;
        }
        await ended;
      },
    };
  }
}
