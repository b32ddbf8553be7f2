// The package has no types. This file declares the part that the tests use.
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface OidcContext {
    readonly path: string;
    readonly req: IncomingMessage;
    readonly res: ServerResponse;
    redirect(url: string): void;
  }

  export class Provider {
    constructor(issuer: string, settings: object);
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    use(middleware: (context: OidcContext, next: () => Promise<void>) => Promise<void> | void): void;
    interactionResult(request: IncomingMessage, response: ServerResponse, result: object): Promise<string>;
  }
}
