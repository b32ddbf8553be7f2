// Accepts every OTLP export, in a separate process, so that its work is not included in any measured CPU time.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const receiver = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(200).end());
});
receiver.listen(0, '127.0.0.1', () =>
  process.stdout.write(`ready http://127.0.0.1:${(receiver.address() as AddressInfo).port}\n`),
);
