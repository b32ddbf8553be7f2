import { Injectable } from '@nestjs/common';
import { GatewayError, invalidRequest } from '../kernel/errors/errors.js';
import { ModelNames, quotedName } from './model-names.js';

/** Decides which names belong to text models. */
@Injectable()
export class TextModels {
  constructor(private readonly names: ModelNames) {}

  /** Throws invalid_request for a name that is unknown or ambiguous, or that belongs to another kind of model. */
  assertText(name: string): void {
    const { outputModalities, endpoints } = this.#find(name);
    if (!outputModalities.includes('text') || !endpoints.some(({ capability }) => capability === 'chat'))
      throw invalidRequest(`Model ${quotedName(name)} does not generate text`);
  }

  #find(name: string): ReturnType<ModelNames['find']> {
    try {
      return this.names.find(name, { capability: 'chat', format: 'chat' });
    } catch (error) {
      throw error instanceof GatewayError ? invalidRequest(error.message) : error;
    }
  }
}
