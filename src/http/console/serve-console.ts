import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { join } from 'node:path';
import { BUILD_FOLDER } from '../../config/compiled-code.js';
import { Config } from '../../config/config.js';
import { isConsoleRequest } from '../../kernel/console-request.js';
import { CONSOLE_PATH } from './console-edge.js';
import { ConsoleFiles } from './console-files.js';
import { RootController } from '../edge/root.controller.js';

/**
 * The folder to which the build writes the console. If Node runs the TypeScript sources, this is the folder in dist.
 */
const BUILT = join(BUILD_FOLDER ?? join(import.meta.dirname, '../../../dist'), 'console');
/** Paths below /console that belong to operations. */
const OPERATIONS = /^\/(?:sessions?|oidc|api)(?:\/|$)/;
/** The path of the chat links in the feed of models: `/chat?models=<id>`. */
const CHAT_PATH = '/chat';

const isRead = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';

/** Serves the pages of the console at /console, and redirects chat links to the playground. */
export async function serveConsole(app: NestExpressApplication): Promise<void> {
  const files = await ConsoleFiles.read(app.get(Config).values.CONSOLE_DIR ?? BUILT);
  if (files.isBuilt) {
    app.get(RootController, { strict: false }).serveConsole();
    app.use(CHAT_PATH, (request: Request, response: Response, next: NextFunction) => {
      if (!isRead(request) || request.path !== '/') return next();
      const models = new URLSearchParams(request.originalUrl.split('?')[1]).getAll('models');
      // The router of the console reads search parameters as JSON.
      const query = models.length > 0 ? `?models=${encodeURIComponent(JSON.stringify(models))}` : '';
      response.redirect(302, `${CONSOLE_PATH}/playground${query}`);
    });
  }
  app.use(CONSOLE_PATH, (request: Request, response: Response, next: NextFunction) => {
    if (!isRead(request) || !isConsoleRequest(request) || OPERATIONS.test(request.path)) return next();
    const [path, query] = request.originalUrl.split(/\?(.*)/s);
    if (path === CONSOLE_PATH)
      return response.redirect(302, `${CONSOLE_PATH}/${query === undefined ? '' : `?${query}`}`);
    if (!files.send(request.path, request, response)) next();
  });
}
