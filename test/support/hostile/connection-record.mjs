// Loaded before a process of the service: appends the target of each connection and each name lookup to the file
// CONNECTION_RECORD, one per line. Omits connections to this machine by address or socket.
import dns from 'node:dns';
import { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { isIP, Socket } from 'node:net';
import { Socket as DatagramSocket } from 'node:dgram';

const LOCAL = /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/;
const note = (kind, host) => {
  if (!LOCAL.test(host)) appendFileSync(process.env.CONNECTION_RECORD, `${kind} ${host}\n`);
};
const connect = Socket.prototype.connect;
Socket.prototype.connect = function (...given) {
  const options = Array.isArray(given[0]) ? given[0][0] : given[0];
  if (options !== null && typeof options === 'object') {
    if (options.path === undefined) note('tcp', String(options.host ?? 'localhost'));
  } else if (typeof given[1] === 'string') note('tcp', given[1]);
  return connect.apply(this, given);
};
const send = DatagramSocket.prototype.send;
DatagramSocket.prototype.send = function (...given) {
  for (const value of given) if (typeof value === 'string' && isIP(value)) note('udp', value);
  return send.apply(this, given);
};
const { lookup } = dns;
dns.lookup = (host, ...rest) => {
  note('name', host);
  return lookup(host, ...rest);
};
syncBuiltinESMExports();
// Shows that the module is loaded.
appendFileSync(process.env.CONNECTION_RECORD, 'process\n');
