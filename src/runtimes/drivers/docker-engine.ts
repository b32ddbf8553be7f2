import type Docker from 'dockerode';

/** The timeout of reads. An engine that takes longer is assumed to hang. */
const READ_TIMEOUT_MS = 5_000;
/** The timeout of creating, starting and removing, long enough for a machine under load. */
const CHANGE_TIMEOUT_MS = 30_000;

/** A failed call to the engine. */
class EngineFailure extends Error {
  override name = 'EngineFailure';

  constructor(
    message: string,
    /** The status of the engine's response; undefined without a response. */
    readonly statusCode: number | undefined,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

type EngineCall<T> = (docker: Docker, abortSignal: AbortSignal) => Promise<T>;

/**
 * The Docker Engine behind a socket. dockerode has no timeouts, so every call here has one. Errors contain the path of
 * the socket.
 */
export class DockerEngine {
  #docker: Promise<Docker> | undefined;

  constructor(readonly socketPath: string) {}

  lookUp<T>(call: EngineCall<T>, signal?: AbortSignal): Promise<T> {
    return this.#call(call, READ_TIMEOUT_MS, signal);
  }

  change<T>(call: EngineCall<T>, signal?: AbortSignal): Promise<T> {
    return this.#call(call, CHANGE_TIMEOUT_MS, signal);
  }

  /** Loaded with the first call, because most installations have no interns in containers. */
  #client(): Promise<Docker> {
    const { socketPath } = this;
    return (this.#docker ??= import('dockerode').then(({ default: Client }) => new Client({ socketPath })));
  }

  async #call<T>(call: EngineCall<T>, timeoutMs: number, signal: AbortSignal | undefined): Promise<T> {
    const timeout = new EngineFailure(
      `the Docker Engine at ${this.socketPath} does not respond: check it, or set INTERN_DOCKER_SOCKET`,
      undefined,
    );
    // Do not use AbortSignal.timeout(). It would also abort after the call, and end a stream that the call returned.
    const controller = new AbortController();
    const onAbort = (): void => controller.abort(timeout);
    const timer = setTimeout(onAbort, timeoutMs);
    signal?.addEventListener('abort', onAbort);
    if (signal?.aborted) onAbort();
    const aborted = Promise.withResolvers<never>();
    controller.signal.addEventListener('abort', () => aborted.reject(timeout), { once: true });
    aborted.promise.catch(() => undefined);
    try {
      controller.signal.throwIfAborted();
      return await Promise.race([this.#client().then((docker) => call(docker, controller.signal)), aborted.promise]);
    } catch (error) {
      throw this.#failureOf(error);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  #failureOf(error: unknown): EngineFailure {
    if (error instanceof EngineFailure) return error;
    const { code, statusCode, message } = error as { code?: string; statusCode?: number; message?: string };
    if (statusCode !== undefined)
      return new EngineFailure(`the Docker Engine at ${this.socketPath} refused: ${message?.trim()}`, statusCode, {
        cause: error,
      });
    return new EngineFailure(
      `the Docker Engine at ${this.socketPath} cannot be reached (${code ?? message}): ` +
        'start it, or set INTERN_DOCKER_SOCKET',
      undefined,
      { cause: error },
    );
  }
}

export const statusOf = (error: unknown): number | undefined =>
  error instanceof EngineFailure ? error.statusCode : undefined;

/** For `catch`: ignores failures with these statuses. */
export const unless =
  (...statuses: readonly number[]) =>
  (error: unknown): undefined => {
    if (!statuses.includes(statusOf(error) ?? 0)) throw error;
  };
