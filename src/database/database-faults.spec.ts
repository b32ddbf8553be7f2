import { DatabaseUnavailable } from '../kernel/errors/database-unavailable.js';
import { asDatabaseFault, isDatabaseUnavailable } from './database-faults.js';

const fault = (members: object, message = 'a message'): Error => Object.assign(new Error(message), members);

describe('a fault of the database', () => {
  it.each([
    '08000',
    '08006',
    '08P01',
    '28000',
    '28P01',
    '40001',
    '40P01',
    '53100',
    '53200',
    '53300',
    '57014',
    '57P01',
    '57P02',
    '57P03',
    '57P05',
    '58000',
    '58030',
    '25006',
    '3D000',
    '55P03',
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'ENETUNREACH',
  ])('with the code %s is transient', (code) => {
    expect(isDatabaseUnavailable(fault({ code }))).toBe(true);
    expect(asDatabaseFault(fault({ code }))).toMatchObject({
      databaseUnavailable: true,
      code,
      message: 'the database is not available: a message',
    });
  });

  it.each([
    '22012',
    '23505',
    '23503',
    '22P02',
    '42P01',
    '42601',
    '25P02',
    '0A000',
    'XX000',
    'ENOENT',
    'EACCES',
    'ERR_INVALID_ARG_TYPE',
  ])('with the code %s is not transient', (code) => {
    const error = fault({ code });
    expect(isDatabaseUnavailable(error)).toBe(false);
    expect(asDatabaseFault(error)).toBe(error);
  });

  it.each(['ENOENT', 'EACCES'])(
    'with the code %s is transient if it comes from a connection to a socket, not from a file',
    (code) => {
      expect(isDatabaseUnavailable(fault({ code, syscall: 'connect' }))).toBe(true);
      expect(isDatabaseUnavailable(fault({ code, syscall: 'open' }))).toBe(false);
    },
  );

  it.each([
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
    'timeout expired',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
    'Cannot use a pool after calling end on the pool',
  ])('without a code and with the text %j is transient', (message) => {
    expect(isDatabaseUnavailable(fault({}, message))).toBe(true);
  });

  it.each([undefined, null, 'text', 5, {}, new TypeError('x is not a function')])(
    'is not recognised in %p',
    (error) => {
      expect(isDatabaseUnavailable(error)).toBe(false);
      expect(asDatabaseFault(error)).toBe(error);
    },
  );

  it('is recognised if the ORM has copied it into its own error', () => {
    const original = new DatabaseUnavailable('away');
    const copy = new Error(original.message);
    for (const name of Object.getOwnPropertyNames(original))
      Object.defineProperty(copy, name, { value: original[name as keyof typeof original] });
    expect(isDatabaseUnavailable(copy)).toBe(true);
  });

  it('shows the first line of the message of the server, because other lines may quote values', () => {
    expect(asDatabaseFault(fault({ code: '53100' }, 'could not extend file\n - detail: (secret)')).message).toBe(
      'the database is not available: could not extend file',
    );
  });
});
