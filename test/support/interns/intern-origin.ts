import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import { InternKeys } from '../../../src/auth/intern-keys.js';
import type { Sql } from '../../../src/database/sql.js';
import { EgressPasses } from '../../../src/egress/egress-passes.js';
import { EgressProxy } from '../../../src/egress/egress-proxy.js';
import type { RunningService } from '../../../src/service.js';

/** The service host of an intern's runtime, as an origin for any client. */
export interface InternOrigin {
  /** http://127.0.0.1:port, without a trailing slash. */
  readonly origin: string;
  close(): void;
}

/** Issues a pass for the intern, and relays requests to `origin` through the egress proxy to the service. */
export async function openInternOrigin(app: RunningService['app'], internId: string): Promise<InternOrigin> {
  const { port } = await app.get(EgressProxy, { strict: false }).endpoint();
  const token = app.get(EgressPasses, { strict: false }).issue(internId);
  const credentials = `Basic ${Buffer.from(`intern:${token.reveal()}`).toString('base64')}`;
  const relay = createServer((request, response) => {
    const { method, headers } = request;
    const path = `http://gatehouse.internal${request.url}`;
    const call = httpRequest({
      host: '127.0.0.1',
      port,
      method,
      path,
      headers: { ...headers, 'proxy-authorization': credentials },
      agent: false,
    });
    call.on('response', (answer) => {
      response.writeHead(answer.statusCode!, answer.rawHeaders);
      pipeline(answer, response, () => undefined);
    });
    call.on('error', () => response.destroy());
    response.once('close', () => call.destroy());
    pipeline(request, call, () => undefined);
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  relay.unref();
  return {
    origin: `http://127.0.0.1:${(relay.address() as AddressInfo).port}`,
    close: () => {
      relay.close();
      relay.closeAllConnections();
    },
  };
}

/** Creates the key that an intern gets when it boots. The previous key stops working. */
export async function mintInternKey(app: RunningService['app'], sql: Sql, internId: string): Promise<string> {
  const secret = await sql.transaction(async (session) => {
    const [holder] = await session.query<Parameters<InternKeys['mint']>[1]>(
      `select id as "internId", account_id as "accountId", workspace_id as "workspaceId",
         creator_user_id as "creatorUserId", creator_key_no as "creatorKeyNo", name
       from intern where id = $1 for update`,
      [internId],
    );
    return app.get(InternKeys, { strict: false }).mint(session, holder!);
  });
  return secret.reveal();
}
