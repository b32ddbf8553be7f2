import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { BrowserSessions } from './browser-sessions.js';
import { ConsoleCodes } from './console-codes.js';
import { ConsoleSessions } from './console-sessions.js';
import { SessionCookie } from './session-cookie.js';
import { SessionDirectory } from './session-directory.js';
import { SignIns } from './sign-ins.js';

/** Sessions of the console, and the codes that open them. */
@Module({
  imports: [AuditModule, AuthModule],
  providers: [BrowserSessions, ConsoleCodes, ConsoleSessions, SessionCookie, SessionDirectory, SignIns],
  exports: [BrowserSessions, ConsoleCodes, ConsoleSessions, SessionCookie, SessionDirectory, SignIns],
})
export class SessionsModule {}
