import type { MoodName } from './moods.ts';

export type MotifName = 'bauhaus' | 'mountains' | 'waves';

type Row<T> = readonly [target: T, words: string];

/**
 * The words of a prompt that select a motif, in lower case and in several languages. A word that ends in `*` matches as
 * a prefix. Words in scripts without spaces match anywhere in the prompt.
 */
export const MOTIF_WORDS: readonly Row<MotifName>[] = [
  [
    'waves',
    'sea ocean* wave* surf* beach* coast* boat* ship* sail* lighthouse* island* harbour harbor fish* whale* lake* ' +
      'river* water underwater marine meer ozean mer océan playa mar mare море океан* 海 波 بحر θάλασσα ים',
  ],
  [
    'mountains',
    'mountain* peak* alps alpine summit* volcano* cliff* glacier* everest fuji berg berge montagne* montaña* ' +
      'montagna гора горы горн* 山 جبل جبال βουνό* הר canyon* landscape* hill* field* farm* meadow* village* ' +
      'cottage* house* countryside valley* forest* wood woods woodland* tree trees pine* jungle* wald forêt* ' +
      'bosque* лес леса 森 林 غابة δάσος יער desert* dune* sahara sand wüste desierto пустын* 砂漠 صحراء ' +
      'garden* flower* blume* fleur* flor flores fiori цвет* 花 zen',
  ],
  [
    'bauhaus',
    'bauhaus geometric geometry abstract pattern* shape* cube* circle* ring* modernist constructivis* architecture ' +
      'design logo* grid mosaic* formen city cities skyline town urban street* building* stadt ville ciudad cidade ' +
      'город* 都市 城市 مدينة πόλη עיר space planet* galaxy cosmos cosmic orbit* rocket* космос 宇宙 robot* android* ' +
      'ロボット робот* music sound* song* jazz techno musik musique música музык* 音楽',
  ],
];

export const MOOD_WORDS: readonly Row<MoodName>[] = [
  ['neon', 'neon cyberpunk synthwave vaporwave retrowave glow* electric laser*'],
  [
    'sunset',
    'dusk twilight evening abend soir вечер ' +
      'sunset* coucher sonnenuntergang atardecer tramonto закат* 夕日 夕焼け 日落 غروب ηλιοβασίλεμα שקיעה',
  ],
  ['dawn', 'dawn sunrise morning pastel* dream* soft aurora amanecer aube рассвет* утро 朝 فجر lavender'],
  [
    'night',
    'night* midnight dark moon moonlit nocturn* nacht nuit noche notte ночь ночн* 夜 ليل الليل νύχτα לילה ' +
      'בלילה star stars starry space galaxy nebula* cosmos cosmic universe космос 宇宙',
  ],
  [
    'autumn',
    'autumn* fall herbst automne otoño autunno осень осен* 秋 خريف φθινόπωρο סתיו october november harvest pumpkin*',
  ],
  [
    'winter',
    'winter* snow* ice icy frost* frozen arctic christmas schnee hiver neige invierno зима зимн* снег* 冬 ' +
      '雪 شتاء χειμώνας חורף',
  ],
  ['spring', 'spring* frühling printemps primavera весна весенн* 春 ربيع άνοιξη אביב easter april may'],
  ['fire', 'fire* flame* lava volcano* inferno hell burning dragon* feuer feu fuego огонь 火 نار φωτιά אש'],
  ['noir', 'noir monochrome grayscale mono ink charcoal film black white schwarz negro'],
  ['midcentury', 'vintage retro midcentury fifties sixties jazz'],
  ['forest', 'forest* wood woods woodland* pine* wald forêt* bosque* лес леса 森 林 غابة δάσος יער'],
  ['desert', 'desert* dune* sahara sand wüste désert desierto пустын* 砂漠 沙漠 صحراء'],
  ['primary', 'bauhaus primary constructivis* mondrian'],
];

/** Hue in OKLCH and a factor on chroma. */
export const COLOUR_WORDS: readonly Row<readonly [hue: number, chroma: number]>[] = [
  [[25, 1.25], 'red crimson scarlet rot rouge rojo rosso красн* 赤 红 أحمر κόκκινο'],
  [[52, 1.15], 'orange amber naranja arancio* оранжев*'],
  [[88, 1.1], 'yellow golden gold gelb jaune amarillo giallo жёлт* желт* 黄'],
  [[145, 1.1], 'green emerald grün vert verde зелён* зелен* 緑 绿 أخضر πράσινο'],
  [[192, 1], 'teal turquoise cyan aqua бирюзов*'],
  [[255, 1.1], 'blue azure indigo navy blau bleu azul blu син* голуб* 青 蓝 أزرق μπλε'],
  [[305, 1.1], 'purple violet lilac lila púrpura viola фиолетов* 紫'],
  [[355, 1.15], 'pink magenta rosa rosado розов* 粉'],
];
