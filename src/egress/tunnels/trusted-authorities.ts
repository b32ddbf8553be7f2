import { Injectable } from '@nestjs/common';
import { CertificateAuthority } from './certificate-authority.js';
import { Network } from '../network.js';

/** The certificate authorities that interns trust besides the public ones. */
@Injectable()
export class TrustedAuthorities {
  constructor(
    private readonly authority: CertificateAuthority,
    private readonly network: Network,
  ) {}

  /**
   * Certificates in PEM. `authorities`: the proxy's own, and those in EGRESS_CA_FILE, which sign hosts of unopened
   * tunnels.
   */
  async certificates(): Promise<{ readonly authority: string; readonly authorities: string }> {
    const authority = await this.authority.certificate();
    return { authority, authorities: [authority, ...this.network.ownAuthorities].join('\n') };
  }
}
