import type { Motif } from '../stage.js';
import type { MotifName } from '../theme-words.js';
import { bauhaus } from './bauhaus.motif.js';
import { blooms } from './blooms.motif.js';
import { botanical } from './botanical.motif.js';
import { cat } from './cat.motif.js';
import { cosmos } from './cosmos.motif.js';
import { dunes } from './dunes.motif.js';
import { forest } from './forest.motif.js';
import { hills } from './hills.motif.js';
import { mountains } from './mountains.motif.js';
import { rings } from './rings.motif.js';
import { robot } from './robot.motif.js';
import { skyline } from './skyline.motif.js';
import { strata } from './strata.motif.js';
import { waves } from './waves.motif.js';

export const MOTIFS: Readonly<Record<MotifName, Motif>> = {
  mountains,
  forest,
  waves,
  skyline,
  dunes,
  cosmos,
  botanical,
  blooms,
  bauhaus,
  rings,
  strata,
  robot,
  cat,
  hills,
};
