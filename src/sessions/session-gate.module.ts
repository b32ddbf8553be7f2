import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { SessionGuard } from './session.guard.js';
import { SessionsModule } from './sessions.module.js';

/**
 * The global guard of the console. Import it before GateModule, whose guard checks the keys that SessionGuard selects.
 */
@Module({ imports: [SessionsModule], providers: [{ provide: APP_GUARD, useClass: SessionGuard }] })
export class SessionGateModule {}
