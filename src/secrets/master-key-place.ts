import type { Config } from '../config/config.js';
import { MasterKeySource } from './envelope/master-key-source.js';

/** Where the master key of this installation is kept, for sentences to the operator: a file's path or a variable's name. */
export const masterKeyPlace = (config: Config): string => new MasterKeySource(config).place;
