/** A piece of load in a separate process. Arguments: the service's address, seconds, requests per second. */
import { closedLoop } from './load.js';
import { SCENARIOS } from './scenarios.js';

const CONNECTIONS = 128;

const [url, seconds, perSecond] = process.argv.slice(2);
process.stdout.write('begun\n');
const { requests } = await closedLoop(url!, SCENARIOS, CONNECTIONS, Number(seconds), Number(perSecond) || undefined);
process.stdout.write(`answered ${requests}\n`);
