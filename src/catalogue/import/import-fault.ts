import { GatewayError } from '../../kernel/errors/errors.js';

/** Thrown for an invalid file; nothing was imported. The message names the line. */
export class ImportFault extends GatewayError {
  constructor(
    readonly line: number,
    problem: string,
  ) {
    super('invalid_request', `Line ${line}: ${problem}. Nothing was imported.`);
    this.name = 'ImportFault';
  }
}
