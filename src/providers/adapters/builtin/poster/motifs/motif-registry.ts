import type { Motif } from '../stage.js';
import type { MotifName } from '../theme-words.js';
import { bauhaus } from './bauhaus.motif.js';
import { mountains } from './mountains.motif.js';
import { waves } from './waves.motif.js';

export const MOTIFS: Readonly<Record<MotifName, Motif>> = { bauhaus, mountains, waves };
