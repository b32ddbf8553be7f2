import { Controller, Get, Req, Res, SetMetadata } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ACCESS_METADATA } from '../../kernel/access/access-matrix.js';
import { DOCUMENT_PATH, DOCUMENTATION_PATH } from './configure-server.js';
import { CONSOLE_PATH } from '../console/console-edge.js';

const LINKS = { name: 'Gatehouse', documentation: DOCUMENTATION_PATH, openapi: DOCUMENT_PATH };

/**
 * The public root of the server. Redirects browsers to the console if it is built; other clients get links to the API.
 */
@ApiExcludeController()
@SetMetadata(ACCESS_METADATA, 'public')
@Controller()
export class RootController {
  #hasConsole = false;

  /** From now on, browsers are redirected to the console. */
  serveConsole(): void {
    this.#hasConsole = true;
  }

  @Get()
  root(@Req() request: Request, @Res() response: Response): void {
    response.vary('accept');
    // A client that accepts anything gets JSON.
    if (this.#hasConsole && request.accepts(['json', 'html']) === 'html') response.redirect(302, `${CONSOLE_PATH}/`);
    else response.json(LINKS);
  }
}
