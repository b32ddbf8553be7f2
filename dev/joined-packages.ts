/**
 * Packages of many modules, which the build bundles into the service. No other package may import one of them, because
 * it would load a second copy (test/architecture/packages.spec.ts).
 */
export const JOINED = [
  '@mikro-orm/core',
  '@mikro-orm/decorators',
  '@mikro-orm/migrations',
  '@mikro-orm/nestjs',
  '@mikro-orm/postgresql',
  '@mikro-orm/sql',
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/mapped-types',
  '@nestjs/platform-express',
  '@nestjs/swagger',
  'class-validator',
  'cockatiel',
  'es-toolkit',
  'iterare',
  'kysely',
  'libphonenumber-js',
  'nestjs-pino',
  'rate-limiter-flexible',
  'rxjs',
  'validator',
];
