import { parseArgs } from 'node:util';
import { SCENARIOS } from './scenarios.js';

export const HELP = `Compares the service with a bare Node proxy that makes the same calls to the same vendor.
Build first: npm run build.

  --scenarios a,b     comma-separated list of: ${SCENARIOS.map(({ name }) => name).join(', ')} (default all)
  --connections a,b   connections of the closed loop (default 1,32,128)
  --rounds n          pairs of runs between two restarts (default 3)
  --forks n           restarts of both servers (default 2)
  --seconds n         length of one run (default 4)
  --warm-up n         seconds of load for each server and scenario before the measurement, in which V8 compiles
                      (default 20)
  --open-loop n       requests a second of the open loop, 0 = none (default 400)
  --memory n          minutes of load of all scenarios over 128 connections, with the slope of the resident memory;
                      nothing else is measured
  --rate n            maximum requests a second while the memory is measured (default 0 = no limit)
  --piece n           seconds of one piece of that load, which opens its own connections (default 60)
  --through command   runs each piece with a command, such as one that waits until the machine is free
  --profile dir       writes a CPU profile of the service into this folder
  --node-flags text   flags for the service's Node instead of those in the start script
  --service-env text  variables for the service, such as 'LOG_LEVEL=info LOG_FORMAT=json'
                      (default LOG_LEVEL=warn: no access log)
  --proxy-flags text  flags for the bare proxy's Node (default none)
  --out name          writes bench/results/<name>.json and .txt
  --help`;

export const { values } = parseArgs({
  options: {
    scenarios: { type: 'string' },
    connections: { type: 'string', default: '1,32,128' },
    rounds: { type: 'string', default: '3' },
    forks: { type: 'string', default: '2' },
    seconds: { type: 'string', default: '4' },
    'warm-up': { type: 'string', default: '20' },
    'open-loop': { type: 'string', default: '400' },
    memory: { type: 'string' },
    rate: { type: 'string', default: '0' },
    piece: { type: 'string', default: '60' },
    through: { type: 'string', default: '' },
    profile: { type: 'string' },
    'node-flags': { type: 'string' },
    'service-env': { type: 'string', default: '' },
    'proxy-flags': { type: 'string', default: '' },
    out: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

/** The options in the results, without the folders of this machine. */
export const shownOptions = { ...values, through: undefined, profile: undefined, out: undefined, help: undefined };
