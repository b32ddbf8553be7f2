import { Injectable } from '@nestjs/common';
import { CertificateAuthority } from './certificate-authority.js';
import { Network } from '../network.js';

/** The certificate authorities that interns trust in addition to the public ones. */
@Injectable()
export class TrustedAuthorities {
  constructor(
    private readonly authority: CertificateAuthority,
    private readonly network: Network,
  ) {}

  /**
   * Certificates in PEM. `authorities`: the proxy's own authority and the authorities in EGRESS_CA_FILE, which sign the
   * certificates of hosts whose tunnels are not opened.
   */
  async certificates(): Promise<{ readonly authority: string; readonly authorities: string }> {
    const authority = await this.authority.certificate();
    return { authority, authorities: [authority, ...this.network.ownAuthorities].join('\n') };
  }
}
