import type { MoodName } from './moods/moods.js';

export type MotifName =
  | 'mountains'
  | 'forest'
  | 'waves'
  | 'skyline'
  | 'dunes'
  | 'cosmos'
  | 'botanical'
  | 'blooms'
  | 'bauhaus'
  | 'rings'
  | 'strata'
  | 'robot'
  | 'cat'
  | 'hills';

/** Details that a motif can add when the prompt names them. */
export type Tag =
  | 'boat'
  | 'lighthouse'
  | 'rain'
  | 'snow'
  | 'birds'
  | 'moon'
  | 'sun'
  | 'house'
  | 'rocket'
  | 'cactus'
  | 'pyramid'
  | 'stars'
  | 'black'
  | 'white'
  | 'ginger'
  | 'lava';

type Row<T> = readonly [target: T, words: string];

/**
 * Words of the prompt, lower case, in several languages; scripts without spaces are matched as substrings. A word that
 * ends in `*` matches as a prefix.
 */
export const MOTIF_WORDS: readonly Row<MotifName>[] = [
  ['robot', 'robot* android* cyborg* mech automaton droid* machine ロボット 机器人 робот* روبوت ρομπότ'],
  ['cat', 'cat cats kitten* kitty chat chaton katze* gato* gatto gatti кошка кот котёнок 猫 قطة γάτα חתול'],
  [
    'cosmos',
    'space planet* galaxy galaxies cosmos cosmic universe orbit* rocket* astronaut* star stars nebula* ' +
      'comet* saturn mars weltraum espace espacio космос звезд* звёзд* 宇宙 星 فضاء διάστημα',
  ],
  [
    'skyline',
    'city cities skyline town urban street* building* tower* skyscraper* metropolis downtown cyberpunk ' +
      'stadt ville ciudad città cidade город* 都市 城市 مدينة πόλη עיר manhattan tokyo york london paris berlin',
  ],
  [
    'waves',
    'sea ocean* wave* surf* beach* coast* boat* ship* sail* lighthouse* island* harbour harbor fish* ' +
      'whale* lake* river* water underwater marine meer ozean mer océan playa mar mare море океан* 海 波 بحر ' +
      'θάλασσα ים',
  ],
  [
    'dunes',
    'desert* dune* sahara sand sands cactus cacti camel* pyramid* oasis wüste désert desierto deserto ' +
      'пустын* 砂漠 沙漠 صحراء έρημος',
  ],
  [
    'mountains',
    'mountain* peak* alps alpine summit* volcano* cliff* glacier* everest fuji berg berge montagne* ' +
      'montaña* montagna гора горы горн* 山 جبل جبال βουνό* הר canyon*',
  ],
  [
    'forest',
    'forest* wood woods woodland* tree trees pine* jungle* wald forêt* bosque* foresta лес леса 森 林 غابة ' +
      'δάσος יער fir firs spruce',
  ],
  [
    'blooms',
    'flower* bloom* blossom* rose roses tulip* poppy poppies daisy daisies bouquet* sunflower* garden* ' +
      'lotus sakura blume* fleur* flor flores fiore fiori цвет* 花 زهرة λουλούδι* פרח',
  ],
  [
    'botanical',
    'leaf leaves plant* fern* botanical branch* olive* herb* vine* palm* tea jungle monstera blatt ' +
      'blätter feuille* hoja* листья лист 葉 叶',
  ],
  [
    'hills',
    'hill* field* farm* meadow* village* cottage* house* home countryside valley* vineyard* tuscany dorf ' +
      'feld campagne campo поле деревн* house 田',
  ],
  [
    'rings',
    'circle* ring* sun sunrise target spiral* rainbow* vinyl record round eclipse солнце soleil sonne ' +
      'sol 太陽 太阳 شمس ήλιος שמש zen meditat*',
  ],
  [
    'strata',
    'music sound* song* jazz techno concert* signal* noise frequency radio rhythm* melody musik musique ' +
      'música музык* 音楽 音乐 موسيقى μουσική vibration* quantum data',
  ],
  [
    'bauhaus',
    'bauhaus geometric geometry abstract pattern* shape* cube* modernist constructivis* architecture ' +
      'design logo* grid mosaic* formen',
  ],
];

export const MOOD_WORDS: readonly Row<MoodName>[] = [
  ['neon', 'neon cyberpunk synthwave vaporwave retrowave glow* electric laser*'],
  ['sunset', 'sunset* coucher sonnenuntergang atardecer tramonto закат* 夕日 夕焼け 日落 غروب ηλιοβασίλεμα שקיעה'],
  ['dawn', 'dawn sunrise morning pastel* dream* soft aurora amanecer aube рассвет* утро 朝 فجر lavender'],
  ['dusk', 'dusk twilight evening abend soir вечер'],
  [
    'night',
    'night* midnight dark moon moonlit nocturn* nacht nuit noche notte ночь ночн* 夜 ليل الليل νύχτα לילה ' +
      'בלילה star stars starry',
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
  ['cosmos', 'space galaxy nebula* cosmos cosmic universe космос 宇宙'],
  ['tropical', 'tropical* jungle* hawaii summer* paradise parrot* palm* été sommer verano лето 夏'],
  ['noir', 'noir monochrome grayscale mono ink charcoal film black white schwarz negro'],
  ['rose', 'love heart* amour amor amore liebe любовь 愛 爱 حب αγάπη wedding* valentine*'],
  ['midcentury', 'vintage retro midcentury fifties sixties jazz'],
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

export const TAG_WORDS: readonly Row<Tag>[] = [
  ['boat', 'boat* ship* sail* yacht* regatta schiff bateau barco лодка корабль 船'],
  ['lighthouse', 'lighthouse* leuchtturm phare faro маяк 灯台 灯塔 φάρος'],
  ['rain', 'rain* storm* regen pluie lluvia дожд* 雨 مطر βροχή גשם'],
  ['snow', 'snow* winter* blizzard christmas schnee neige снег* 雪'],
  ['birds', 'bird* gull* seagull* crow* swallow* vogel oiseau* птиц* 鳥 鸟'],
  ['moon', 'moon* lunar mond lune luna луна 月 قمر φεγγάρι ירח night* midnight'],
  ['sun', 'sun sunny sonne soleil sol солнце 太陽 太阳'],
  ['house', 'house* cottage* cabin* hut home haus maison casa дом 家'],
  ['rocket', 'rocket* spaceship* launch rakete fusée cohete ракета ロケット 火箭'],
  ['cactus', 'cactus cacti saguaro kaktus кактус'],
  ['pyramid', 'pyramid* egypt* giza pyramide* пирамид*'],
  ['lava', 'volcano* lava vulkan* volcan* вулкан* 火山'],
  ['black', 'black schwarze* noir negro nero чёрн* черн* 黒 أسود'],
  ['white', 'white weiße* blanc blanco bianco бел* 白 أبيض'],
  ['ginger', 'ginger orange red tabby marmalade roux рыж* 茶'],
  ['stars', 'star stars starry sterne étoiles estrellas звезд* звёзд* 星'],
];
