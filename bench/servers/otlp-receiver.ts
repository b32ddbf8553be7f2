// Accepts every OTLP export, in a process of its own so that its work is not in anyone's CPU time.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const receiver = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(200).end());
});
receiver.listen(0, '127.0.0.1', () =>
  process.stdout.write(`ready http://127.0.0.1:${(receiver.address() as AddressInfo).port}\n`),
);
