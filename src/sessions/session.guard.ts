import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { Config } from '../config/config.js';
import { ACCESS_METADATA, type AccessClass } from '../kernel/access/access-matrix.js';
import { isConsoleRequest } from '../kernel/console-request.js';
import { unauthenticated } from '../kernel/errors/errors.js';
import { PerRoute } from '../kernel/per-route.js';
import type { SessionRequest } from './console-session.js';
import { SERVERS_METADATA } from './accepts-servers.decorator.js';
import { BrowserSessions } from './browser-sessions.js';
import { refuseCrossOrigin } from './same-origin.js';

/**
 * Resolves the session of a request below /console to its keys. AccessGuard, which runs later, checks them like the
 * keys of other requests. In requests outside /console, cookies are ignored.
 */
@Injectable()
export class SessionGuard implements CanActivate {
  readonly #access: PerRoute<AccessClass | undefined>;
  readonly #acceptsServers: PerRoute<boolean>;
  readonly #publicOrigin: string | undefined;

  constructor(
    reflector: Reflector,
    private readonly sessions: BrowserSessions,
    { values }: Config,
  ) {
    this.#access = new PerRoute((places) =>
      reflector.getAllAndOverride<AccessClass | undefined>(ACCESS_METADATA, places),
    );
    this.#acceptsServers = new PerRoute(
      (places) => reflector.getAllAndOverride<boolean | undefined>(SERVERS_METADATA, places) ?? false,
    );
    this.#publicOrigin = values.PUBLIC_BASE_URL === undefined ? undefined : new URL(values.PUBLIC_BASE_URL).origin;
  }

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request & SessionRequest>();
    if (!isConsoleRequest(request)) return true;
    if (!this.#acceptsServers.of(context)) refuseCrossOrigin(request, this.#publicOrigin);
    return this.#access.of(context) === 'public' || this.#resolve(request);
  }

  async #resolve(request: SessionRequest): Promise<boolean> {
    const session = await this.sessions.of(request);
    if (!session) throw unauthenticated('There is no console session, or it has ended: sign in at /console');
    request.consoleSession = session;
    request.sessionKeys = session.keys;
    return true;
  }
}
