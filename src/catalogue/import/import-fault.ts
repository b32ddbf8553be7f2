import { GatewayError } from '../../kernel/errors.js';

/** A file that cannot be imported; nothing of it was. Names the line of the fault. */
export class ImportFault extends GatewayError {
  constructor(
    readonly line: number,
    problem: string,
  ) {
    super('invalid_request', `Line ${line}: ${problem}. Nothing was imported.`);
    this.name = 'ImportFault';
  }
}
